/** `sonde probe`: the real program against a site on loopback. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEnvelope } from '../../src/probe/index.js';
import { listenHttp } from '../support/listen.js';
import { startSite } from '../support/site-server.js';
import { folderWith, shareProcess } from './cli-process.js';

const sonde = shareProcess();

describe('sonde probe', () => {
  test('prints outcome, chain and headers for a person', async () => {
    const site = await startSite();
    try {
      const { code, stdout, stderr } = await sonde([
        'probe',
        `${site.origin}/hops/2`,
        '--allow-private',
        site.origin,
      ]);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^200 {2}http/);
      expect(stdout).toContain(`303 → ${site.origin}/hops/1\n  302 → ${site.origin}/hops/0`);
      expect(stdout).toContain('content-type');
      expect(stdout).toContain('asked');
    } finally {
      await site.close();
    }
  });

  test('prints the envelope with --json, sends the header of the side and hides it', async () => {
    const site = await startSite();
    try {
      const { code, stdout } = await sonde([
        'probe',
        `${site.origin}/echo`,
        '--allow-private',
        site.origin,
        '--header',
        'Authorization: Bearer canary-4471aa',
        '--json',
      ]);
      expect(code).toBe(0);
      const envelope = readEnvelope(JSON.parse(stdout), 'stdout');
      expect(envelope).toMatchObject({ probeId: 'test:left', request: { hadAuthorization: true } });
      expect(stdout).not.toContain('canary-4471aa');
    } finally {
      await site.close();
    }
  });

  test('sends what curl would for -X, -H and -d, also from a file and from stdin', async () => {
    const seen: string[] = [];
    const server = await listenHttp(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push(`${request.method} ${request.headers['x-side'] ?? '-'} ${body}`);
      response.end('ok');
    });
    try {
      const cwd = folderWith({ 'body.json': '{"from":"file"}' });
      const probe = async (args: string[], input?: string) => {
        // Without the additional requests of the full profile.
        const all = ['probe', server.origin, '--allow-private', server.origin, '--profile', 'core', ...args];
        const { code, stderr } = await sonde(all, { cwd, ...(input !== undefined && { input }) });
        expect([code, stderr]).toEqual([0, '']);
      };
      await probe(['-H', 'X-Side: left']);
      await probe(['-X', 'put', '-d', 'text']);
      await probe(['-d', '@body.json', '-H', 'X-Side: right']);
      await probe(['-d', '@-'], 'from stdin');
      expect(seen).toEqual(['GET left ', 'PUT - text', 'POST right {"from":"file"}', 'POST - from stdin']);
    } finally {
      await server.close();
    }
  });

  test('-r writes several reports in one run', async () => {
    const site = await startSite();
    try {
      const cwd = folderWith();
      const reporters = 'pretty,json=envelope.json,pretty=probe.txt';
      const args = ['probe', `${site.origin}/echo`, '--allow-private', site.origin, '-r', reporters];
      const { code, stdout } = await sonde(args, { cwd });
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^200 {2}http/)]);
      expect(readFileSync(join(cwd, 'probe.txt'), 'utf8')).toMatch(/^200 {2}http/);
      const text = readFileSync(join(cwd, 'envelope.json'), 'utf8');
      expect(readEnvelope(JSON.parse(text), 'envelope.json').probeId).toBe('test:left');
    } finally {
      await site.close();
    }
  });

  test.each([
    [['probe', 'https://example.com/', '-r', 'xml'], 2],
    [['probe', 'https://example.com/', '-X', 'NO WAY'], 2],
    [['probe', 'https://example.com/', '-d', '@missing.json'], 2],
    [['probe', 'http://127.0.0.1/'], 2],
    [['probe', 'nonsense'], 2],
    [['probe', 'https://example.com/', '--profile', 'most'], 2],
    [['probe', 'https://example.com/', '--header', 'no-colon'], 2],
    [['probe', 'https://example.com/', '--header', 'Host: other'], 2],
  ])('is refused with one line: %j', async (args, exit) => {
    const { code, stdout, stderr } = await sonde(args);
    expect([code, stdout]).toEqual([exit, '']);
    expect(stderr).toMatch(/^error: [^\n]+\n/);
  });

  test('exits with 3 if the target does not respond', async () => {
    const site = await startSite();
    const { origin } = site;
    await site.close();
    const { code, stdout } = await sonde(['probe', origin, '--allow-private', origin]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^connect_error /);
  });
});
