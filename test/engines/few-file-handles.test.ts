/** A limit of open files below the limit of connections: writes and health checks still get through. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startBuiltServer } from '../support/built-server.js';

const READERS = 400;

test('readers that take all connections of a low limit leave room for writes and health checks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-handles-'));
  const wrapper = ['prlimit', '--nofile=256:256'];
  const server = await startBuiltServer({ folder, wrapper, args: ['--log-level', 'warn'] });
  const agent = new Agent({ maxSockets: READERS });
  try {
    expect(server.stderr()).toContain('the limit of open files is too low for server.connectionsMax');
    const stream = `${server.url}/v1/stream/s`;
    const headers = { 'content-type': 'text/plain' };
    expect((await fetch(stream, { method: 'PUT', headers })).status).toBe(201);
    const outcomes = await Promise.all(
      Array.from(
        { length: READERS },
        () =>
          new Promise<number | string>((resolve) => {
            const request = get(`${stream}?offset=-1&live=sse`, { agent }, (response: IncomingMessage) => {
              response.on('error', () => {}).resume();
              resolve(response.statusCode ?? 0);
            });
            request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
          }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 200).length).toBeGreaterThan(50);
    expect(outcomes).toContain(503);
    expect((await fetch(stream, { method: 'POST', headers, body: 'written' })).status).toBe(204);
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200);
    expect((await fetch(`${server.url}/api/ready`)).status).toBe(200);
    const open = execFileSync('ls', [`/proc/${server.pid}/fd`], { encoding: 'utf8' }).split('\n').length;
    expect(open).toBeLessThan(250);
  } finally {
    agent.destroy();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
