import { expect, test } from 'vitest';
import { makeEnvelope } from '../../../test/support/make-envelope.js';
import { computeDiff } from '../compute-diff.js';

type Context = { readonly asn?: number; readonly colo?: string; readonly country?: string };

function messagesOf(left: Context | undefined, right: Context | undefined): string[] {
  const side = (name: 'left' | 'right', cf: Context | undefined) =>
    makeEnvelope(name, cf ? { more: { cf } } : {});
  const { findings } = computeDiff([side('left', left)], [side('right', right)], {});
  return findings.filter(({ code }) => code === 'CF_CONTEXT_DRIFT').map(({ message }) => message);
}

test.each<[Context, Context, RegExp]>([
  [{ asn: 1 }, { asn: 2 }, /asn/],
  [{ colo: 'FRA' }, { colo: 'LHR' }, /colo/],
  [{ country: 'DE' }, { country: 'GB' }, /country/],
])('reports %o next to %o', (left, right, expected) => {
  expect(messagesOf(left, right)).toEqual([expect.stringMatching(expected)]);
});

test('reports neither equal values nor those that only one side has', () => {
  expect(messagesOf({ asn: 1, colo: 'FRA' }, { asn: 1, country: 'DE' })).toEqual([]);
  expect(messagesOf({ asn: 1 }, undefined)).toEqual([]);
});

test('sums up several differences', () => {
  expect(messagesOf({ asn: 1, colo: 'FRA' }, { asn: 2, colo: 'LHR' })).toEqual([
    'The Cloudflare context differs in 2 ways',
  ]);
});
