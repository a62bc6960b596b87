/** How findings of many paths become groups, and which group comes first. */
import { expect, test } from 'vitest';
import type { Finding } from '../finding.js';
import { FINDING_CODES, type FindingCode } from '../finding-codes.js';
import { groupFindings } from './group-findings.js';

let made = 0;
function finding(code: FindingCode, parts: Partial<Finding> = {}): Finding {
  made += 1;
  return {
    ...{ id: `${code}:${parts.left_value ?? ''}`, code, category: FINDING_CODES[code], severity: 'warn' },
    ...{ direction: 'changed', effect: 'change', stability: 'stable', status: 'new', message: 'm' },
    ...{ left_value: null, right_value: null, evidence: [], recommendations: [] },
    ...{ fingerprint: String(made), valueFingerprint: String(made), ruleVersion: 1 },
    ...parts,
  };
}
const groups = (...pairs: (readonly Finding[])[]) =>
  groupFindings(pairs.map((findings, at) => ({ name: `/${at}`, diff: { findings } })));

test('the same finding on several paths is one group, with the paths in order', () => {
  const [group, ...others] = groups(
    [finding('VARY_DRIFT')],
    [],
    [finding('VARY_DRIFT'), finding('VARY_DRIFT')],
  );
  expect(group).toMatchObject({ paths: ['/0', '/2'], of: 3, message: 'm', variants: 1, also: [] });
  expect(others).toEqual([]);
});

test('messages that differ become the title with an example', () => {
  const [group] = groups([finding('VARY_DRIFT')], [finding('VARY_DRIFT', { message: 'n' })]);
  expect(group).toMatchObject({ message: 'Vary differs (for example: m)', variants: 2 });
});

test.each<[string, Partial<Finding>]>([
  ['severity', { severity: 'critical' }],
  ['effect', { effect: 'regression' }],
])('another %s is another group', (_, parts) => {
  expect(groups([finding('VARY_DRIFT')], [finding('VARY_DRIFT', parts)])).toHaveLength(2);
});

test('status codes are grouped by their values, and things that a rule lists are not', () => {
  const status = (right_value: number) =>
    finding('STATUS_MISMATCH', { id: 's', left_value: 200, right_value });
  expect(groups([status(404)], [status(500)], [status(404)])).toHaveLength(2);
  const asset = (left_value: string) => finding('ASSET_SET_DRIFT', { left_value });
  expect(groups([asset('a')], [asset('b')])).toHaveLength(1);
});

test('only what counts makes a group, and names what it explains', () => {
  const cause = finding('STATUS_MISMATCH', { id: 'cause' });
  const effect = (code: FindingCode) => finding(code, { explainedBy: 'cause', status: 'explained' as never });
  const [group, ...others] = groups(
    [
      cause,
      effect('TEXT_DRIFT'),
      effect('CONTENT_TYPE_DRIFT'),
      effect('CONTENT_TYPE_DRIFT'),
      effect('BODY_HASH_DRIFT'),
    ],
    [finding('VARY_DRIFT', { status: 'known' }), finding('VARY_DRIFT', { status: 'suppressed' })],
  );
  expect(group?.also).toEqual([
    { code: 'CONTENT_TYPE_DRIFT', count: 2 },
    { code: 'BODY_HASH_DRIFT', count: 1 },
    { code: 'TEXT_DRIFT', count: 1 },
  ]);
  expect(others).toEqual([]);
});

test('the worst come first, then the rarest, then by category, code and id', () => {
  const critical = finding('VARY_DRIFT', { severity: 'critical' });
  const everywhere = () => finding('CACHE_TTL_DRIFT');
  const sorted = groups(
    [everywhere(), finding('TEXT_DRIFT'), finding('STATUS_MISMATCH'), finding('CACHE_SCOPE_DRIFT')],
    [everywhere(), critical, finding('PROBE_FLAKY', { severity: 'info' })],
  );
  expect(sorted.map(({ code }) => code)).toEqual([
    'VARY_DRIFT',
    'STATUS_MISMATCH',
    'CACHE_SCOPE_DRIFT',
    'TEXT_DRIFT',
    'CACHE_TTL_DRIFT',
    'PROBE_FLAKY',
  ]);
});
