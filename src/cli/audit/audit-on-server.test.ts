import { expect, test } from 'vitest';
import type { Settings } from '../../config/settings.js';
import type { CliContext } from '../cli-context.js';
import { auditOnServer } from './audit-on-server.js';

const AUDIT = { auditId: 'a1', status: 'failed', lastError: 'the site did not respond' };

/** A server whose only audit has failed. */
const context = {
  json: true,
  runtime: {
    callServer: async (_settings: Settings, { path }: { path: string }) => ({
      status: path.includes('/events') ? 204 : 200,
      body: [new TextEncoder().encode(JSON.stringify(AUDIT))],
    }),
    claimStopSignal: () => new Promise(() => {}),
  },
} as unknown as CliContext;

test('reports why an audit failed on the server', async () => {
  const settings = { client: { server: 'http://sonde.test' } } as Settings;
  const request = { url: 'https://example.com/', options: {}, progress: () => {} };
  await expect(auditOnServer(context, settings, request)).rejects.toThrow(
    'the audit ended as failed: the site did not respond',
  );
});
