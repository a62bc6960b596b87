/** What an audit requests because stylesheets name it, and how it appears in the report. */
import { expect, it } from 'vitest';
import { readDocument } from '../audits/extract/index.js';
import {
  type AuditPorts,
  type AuditReport,
  completeOptions,
  PART_NAMES,
  ProcessAuditRecord,
} from '../audits/index.js';
import { createPolicy, type Egress } from '../net/index.js';
import { auditSite } from './audit-site.js';

const ORIGIN = 'https://www.example.com';
type Response = readonly [type: string, body: string];

/** Runs an audit of a site that has these files, and nothing else. */
async function audit(files: Readonly<Record<string, Response>>) {
  const asked: string[] = [];
  const egress: Egress = {
    assurance: 'pinned',
    policy: createPolicy({}),
    async send({ target: { url }, method }) {
      asked.push(url.href.replace(ORIGIN, ''));
      const [type, body] = files[url.pathname] ?? ['text/plain', ''];
      const pieces = method === 'HEAD' ? [] : [new TextEncoder().encode(body)];
      return {
        status: files[url.pathname] ? 200 : 404,
        headers: [['content-type', type]],
        body: { read: async () => pieces.shift(), cancel: () => {} },
        connection: {},
        timings: () => ({ firstByte: 5 }),
      };
    },
    close: async () => {},
  };
  const ports: AuditPorts = {
    egress,
    clock: { now: () => Date.UTC(2026, 10, 15), sleep: async () => {} },
    documents: { read: async (source) => readDocument(source, (text) => text) },
    random: () => 0.5,
  };
  const record = new ProcessAuditRecord();
  const steps = { do: <T>(_name: string, _options: object, run: () => Promise<T>) => run() };
  await auditSite(
    { url: `${ORIGIN}/`, options: completeOptions({ delayMs: 0 }) },
    { ports, record },
    { steps, signal: new AbortController().signal, progress: () => {} },
  );
  const { rules } = (await record.get(PART_NAMES.report)) as AuditReport;
  const said = (id: string) =>
    (rules.find((rule) => rule.id === id)?.issues ?? []).map(({ url, observed, element }) =>
      [url.replace(ORIGIN, ''), observed, element?.replaceAll(ORIGIN, '')].join(' | '),
    );
  return { asked, said };
}

const html = (head: string): Response => [
  'text/html; charset=utf-8',
  `<!doctype html><title>A page of its own</title>${head}`,
];
const css = (text: string): Response => ['text/css', text];
const sheet = (path: string) => `<link rel="stylesheet" href="${path}">`;

it('requests fonts and images of a stylesheet, resolved against the sheet', async () => {
  const { asked, said } = await audit({
    '/': html(sheet('/css/s.css')),
    '/css/s.css': css('@font-face{src:url(a.woff2)} b{background:url(/img/b.png)}'),
    '/img/b.png': ['image/png', 'x'],
  });
  expect(asked).toEqual(expect.arrayContaining(['/css/s.css', '/css/a.woff2', '/img/b.png']));
  expect(said('asset.broken-font')).toEqual(['/css/a.woff2 | status 404 | url() on /css/s.css']);
  expect(said('asset.broken-image')).toEqual([]);
});

it('reads no page that is returned in place of a stylesheet', async () => {
  const { asked, said } = await audit({
    '/': html(sheet('/s.css')),
    '/s.css': html('<style>b{background:url(never.png)}</style>'),
  });
  expect(asked).not.toContain('/never.png');
  expect(said('asset.broken-style')).toHaveLength(1);
});

it('reads fifteen stylesheets', async () => {
  const names = Array.from({ length: 16 }, (_, at) => `/s${at}.css`);
  const { asked } = await audit({
    '/': html(names.map(sheet).join('')),
    ...Object.fromEntries(names.map((name, at) => [name, css(`b{background:url(${at}.png)}`)])),
  });
  const images = asked.filter((path) => path.endsWith('.png'));
  expect(new Set(images).size).toBe(15);
});
