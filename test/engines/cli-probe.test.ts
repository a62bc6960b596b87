import { describe, expect, test } from 'vitest';
import { readEnvelope } from '../../src/probe/index.js';
import { startSite } from '../support/site-server.js';
import { sonde } from './cli-process.js';

describe('sonde probe', () => {
  test('shows outcome, chain and headers to a person', async () => {
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

  test.each([
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

  test('ends with 3 where the target does not answer', async () => {
    const site = await startSite();
    const { origin } = site;
    await site.close();
    const { code, stdout } = await sonde(['probe', origin, '--allow-private', origin]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^connect_error /);
  });
});
