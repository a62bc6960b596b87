/** An audit of a site that is closed to it says so first, in every format, and claims no score. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listenHttp } from '../support/listen.js';
import { sonde } from './cli-process.js';

const ROBOTS = 'User-agent: *\nDisallow: /\n';

const CLOSED = [
  ['robots.txt', { robots: ROBOTS, status: 200 }, /robots\.txt disallows 4 pages/],
  ['a login', { robots: '', status: 401 }, /1 page responded with 401/],
] as const;

test.each(CLOSED)('closed by %s', async (_name, { robots, status }, reason) => {
  const asked: string[] = [];
  const site = await listenHttp((request, response) => {
    const url = request.url ?? '';
    if (url === '/robots.txt')
      return response.end(`${robots}Sitemap: http://${request.headers.host}/sitemap.xml\n`);
    if (url === '/sitemap.xml' && status === 200) {
      const urls = ['', 'a', 'b', 'c'].map(
        (p) => `<url><loc>http://${request.headers.host}/${p}</loc></url>`,
      );
      response.setHeader('content-type', 'application/xml');
      return response.end(
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`,
      );
    }
    asked.push(url);
    return response.writeHead(status, { 'content-type': 'text/html' }).end('<title>x</title>');
  });
  const cwd = mkdtempSync(join(tmpdir(), 'sonde-closed-'));
  try {
    const names = ['md', 'html', 'csv', 'json', 'junit', 'sarif'];
    const { code, stdout } = await sonde(
      [
        ...['audit', `${site.origin}/`, '--allow-private', site.origin, '--delay', '0'],
        ...['-r', ['pretty', ...names.map((name) => `${name}=r.${name}`)].join(','), '--fail-on', 'never'],
      ],
      { cwd },
    );
    expect(code).toBe(3);
    expect(stdout.split('\n').slice(0, 3).join('\n')).toMatch(reason);
    expect(stdout).toMatch(/^Not measured /);
    expect(stdout).not.toMatch(/grade|\d \/ 100|did not respond|capped/);
    for (const name of names) {
      const text = readFileSync(join(cwd, `r.${name}`), 'utf8');
      expect(text, name).toMatch(reason);
      expect(text, name).not.toMatch(/grade [A-F]\b/i);
    }
    const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'));
    expect(report).toMatchObject({ score: null, grade: null, gates: [], reading: { read: 0 } });
    if (status === 200) {
      expect(report.counts.pages).toBe(0);
      expect(asked.filter((url) => /^\/[abc]?$/.test(url))).toEqual([]);
    }
  } finally {
    rmSync(cwd, { recursive: true });
    await site.close();
  }
});
