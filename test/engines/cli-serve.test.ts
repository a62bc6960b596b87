/** `sonde serve` and `sonde token`: start-up, signals, exit codes and minted tokens. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { VERSION } from '../../src/version.js';
import { finished, folderWith, type SondeOptions, shareProcess, sonde, startSonde } from './cli-process.js';

interface Serving {
  readonly child: ChildProcessWithoutNullStreams;
  readonly greeting: Record<string, string>;
}

/** Starts a server on a free port and waits until it is ready. */
async function serving(args: readonly string[] = [], options: SondeOptions = {}): Promise<Serving> {
  const child = startSonde(['serve', '--port', '0', '--json', ...args], options);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, greeting: JSON.parse(line) };
}

/** Sends a request whose body never arrives, and waits until the server has accepted it. */
async function openRequest(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    'POST /api/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\nExpect: 100-continue\r\n\r\n',
  );
  await once(socket, 'data');
}

describe('serve', () => {
  test('listens, prints its address as one line of JSON, responds, and exits with 0 on SIGTERM', async () => {
    const { child, greeting } = await serving();
    expect(greeting).toMatchObject({ schemaVersion: 1, event: 'listening', auth: 'jwt', version: VERSION });
    expect(greeting['loginUrl']).toContain(greeting['url']);
    expect((await fetch(`${greeting['url']}/api/health`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await finished(child)).toMatchObject({ code: 0, signal: null, stdout: '' });
  });

  test('waits for an open request no longer than the limit', async () => {
    const { child, greeting } = await serving(['--drain-ms', '200ms', '--auth', 'none']);
    await openRequest(greeting['url'] ?? '');
    child.kill('SIGTERM');
    expect((await finished(child)).code).toBe(0);
  });

  test('exits at once on a second signal', async () => {
    const child = startSonde(['serve', '--port', '0', '--drain-ms', '5m', '--auth', 'none']);
    const [line] = await once(createInterface(child.stdout), 'line');
    await openRequest(/http:\S+/.exec(line)?.[0] ?? '');
    const notes = createInterface(child.stderr);
    child.kill('SIGTERM');
    for await (const note of notes) if (note.includes('finishing open requests')) break;
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
  });

  test('prints how to log in and where tokens come from', async () => {
    const child = startSonde(['serve', '--port', '0', '--data', './state dir'], { cwd: folderWith() });
    const end = finished(child);
    const seen: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      seen.push(line);
      if (line.includes('Ctrl-C')) break;
    }
    child.kill('SIGTERM');
    await end;
    expect(seen[0]).toMatch(/^● Sonde \S+ listens on http:\/\/127\.0\.0\.1:\d+$/);
    expect(seen[1]).toMatch(/^ {2}Log in +http:\/\/127\.0\.0\.1:\d+\/\S+code=\S+ +\(works once\)$/);
    expect(seen[2]).toMatch(/^ {2}API token +sonde token --scope stream:read --data '\.\/state dir'$/);
  });

  test('reports auth none, offers no link, and exits with 130 on SIGINT', async () => {
    const { child, greeting } = await serving(['--auth', 'none']);
    expect(greeting['auth']).toBe('none');
    expect(greeting['loginUrl']).toBeUndefined();
    child.kill('SIGINT');
    expect((await finished(child)).code).toBe(130);
  });

  test('refuses auth none off loopback before it listens', async () => {
    const { code, stdout, stderr } = await sonde(['serve', '--auth', 'none', '--host', '0.0.0.0']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('none works on a loopback host only');
  });

  test('reports a port in use in one line with a hint, and exits with 4', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void holder.close());
    await once(holder, 'listening');
    const address = holder.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { code, stdout, stderr } = await sonde(['serve', '--port', String(port), '--json']);
    expect([code, stdout]).toEqual([4, '']);
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.code).toBe('LISTEN_FAILED');
  });

  test('warns about a secret given as a flag and does not print it', async () => {
    const secret = 'correct-horse-battery-staple-0123456789';
    const { child } = await serving(['--jwt-secret', secret]);
    const end = finished(child);
    child.kill('SIGTERM');
    const { stderr } = await end;
    expect(stderr).toContain('a secret was passed as a flag');
    expect(stderr).not.toContain('battery');
  });
});

describe('token', () => {
  const run = shareProcess();
  const claims = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

  test('prints a JWT and nothing else, signed with the secret of the data folder', async () => {
    const cwd = folderWith();
    const { code, stdout, stderr } = await run(['token', '--scope', 'stream:read,audit:read'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const { tenant, scope, iat, exp } = claims(stdout);
    expect({ tenant, scope, lifetime: exp - iat }).toEqual({
      tenant: 'default',
      scope: 'stream:read audit:read',
      lifetime: 86_400,
    });
  });

  test('prints what it is valid for with --json; issuer and audience come from the settings', async () => {
    const args = ['token', '--json', '--tenant', 'acme', '--scope', 'admin', '--expires', '5m'];
    const { stdout } = await run(args, { env: { SONDE_JWT_ISSUER: 'me', SONDE_JWT_AUDIENCE: 'you' } });
    const { token, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({ schemaVersion: 1, tenant: 'acme', scopes: ['admin'], expiresInSeconds: 300 });
    expect(claims(token)).toMatchObject({ iss: 'me', aud: 'you', tenant: 'acme' });
  });

  test('refuses keys that it does not hold and unknown scopes', async () => {
    const foreign = await run(['token', '--scope', 'admin', '--jwks', 'keys.json']);
    expect([foreign.code, foreign.stdout]).toEqual([2, '']);
    const unknown = await run(['token', '--scope', 'everything']);
    expect([unknown.code, unknown.stdout]).toEqual([2, '']);
    expect(unknown.stderr).toContain('stream:read');
  });
});
