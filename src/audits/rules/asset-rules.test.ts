import { expect, it } from 'vitest';
import { fetched, outcomeOf, page } from '../../../test/support/audit-facts.js';
import { ASSET_RULES } from './asset-rules.js';

const ORIGIN = 'https://www.example.com';
const MARKUP: Readonly<Record<string, string>> = {
  'asset.broken-style': '<link rel=stylesheet href="/a">',
  'asset.broken-script': '<script src="/a"></script>',
  'asset.broken-image': '<img src="/a" alt="">',
  'asset.broken-font': '<style>@font-face{font-family:A;src:url(/a)}</style>',
  'asset.broken-embed': '<iframe src="/a" title="A"></iframe>',
};

const outcome = (id: string, facts: Parameters<typeof fetched>[1], html = MARKUP[id] ?? '') => {
  const rule = ASSET_RULES.find((each) => each.id === id);
  if (!rule) throw new Error(`there is no rule ${id}`);
  return outcomeOf(rule, [page('/', { html: `<p>\n${html}` })], { checks: [fetched(`${ORIGIN}/a`, facts)] });
};

it.each(Object.keys(MARKUP))('%s fires for a missing file', (id) => {
  expect(outcome(id, { status: 404 })).toMatchObject({
    status: 'fail',
    evidence: [{ url: `${ORIGIN}/a`, line: 2, observed: 'status 404', related: [`${ORIGIN}/`] }],
  });
});

it.each(Object.keys(MARKUP))('%s stays silent for a file that loads, and without files', (id) => {
  expect(outcome(id, { headers: [['content-type', 'application/octet-stream']] }).status).toBe('pass');
  expect(outcome(id, {}, '<p>x</p>').status).toBe('not-applicable');
});

it('treats an HTML page in place of a script as missing', () => {
  expect(outcome('asset.broken-script', { headers: [['content-type', 'text/html']] }).status).toBe('fail');
  expect(outcome('asset.broken-embed', { headers: [['content-type', 'text/html']] }).status).toBe('pass');
});

it.each([
  '<img src="/ok.png" srcset="/ok.png 1x, /a 2x" alt="">',
  '<picture><source srcset="/a 300w"><img src="/ok.png" alt=""></picture>',
  '<video poster="/a"></video>',
  '<p style="background:url(/a)">x</p>',
  '<input type="image" src="/a" alt="Go">',
])('finds images in %s', (html) => {
  expect(outcome('asset.broken-image', { status: 404 }, html).status).toBe('fail');
});

it('is not measured if the host of the file cannot be reached', () => {
  const url = 'https://cdn.example.net/a.js';
  const error = { code: 'dns_error', message: '' };
  const rule = ASSET_RULES.find(({ id }) => id === 'asset.broken-script');
  if (!rule) throw new Error('no rule');
  const pages = [page('/', { html: `<script src="${url}"></script>` })];
  expect(outcomeOf(rule, pages, { checks: [fetched(url, { error })] }).status).toBe('not-measured');
});
