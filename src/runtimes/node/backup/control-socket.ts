/**
 * The socket in the data folder through which commands on the same machine reach a running server. Only its user can
 * open it. Each connection has one request: one line of JSON in each direction.
 */
import { createHash } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { SondeError } from '../../../errors.js';
import type { Log } from '../../../log.js';

export interface ControlRequest {
  readonly command: 'copy-streams';
  /** Absolute. */
  readonly folder: string;
}

type Reply = { readonly result: unknown } | { readonly fault: { readonly message: string } };

const LINE_BYTES_MAX = 65_536;

function pathOf(dataDir: string): string {
  if (process.platform !== 'win32') return join(dataDir, 'control.sock');
  return `\\\\.\\pipe\\sonde-${createHash('sha256').update(resolve(dataDir)).digest('hex')}`;
}

type Handle = (request: ControlRequest, signal: AbortSignal) => Promise<unknown>;

/** Call it only in the process that holds the folder's lock. Then an existing socket belongs to a dead process. */
export async function openControlSocket(
  { dataDir, log }: { readonly dataDir: string; readonly log: Log },
  handle: Handle,
): Promise<{ stop(): Promise<void> }> {
  const path = pathOf(dataDir);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    void reply(socket, handle);
  });
  await rm(path, { force: true }).catch(() => undefined);
  try {
    await new Promise<void>((done, fail) => server.once('error', fail).listen(path, done));
    if (process.platform !== 'win32') await chmod(path, 0o600);
  } catch (error) {
    // Some file systems do not support sockets, and the path of a socket must be short.
    log.warn('"sonde backup" cannot reach this server: its data folder does not support sockets', {
      err: error,
      path,
    });
  }
  return {
    async stop() {
      for (const socket of sockets) socket.destroy();
      if (server.listening) await new Promise((done) => server.close(done));
    },
  };
}

async function reply(socket: Socket, handle: Handle): Promise<void> {
  let message: Reply;
  const gone = new AbortController();
  try {
    const request = JSON.parse(await readLine(socket)) as ControlRequest;
    // The command sends nothing more, so the end means that its process has ended.
    socket.once('end', () => gone.abort()).resume();
    message = { result: await handle(request, gone.signal) };
  } catch (error) {
    message = { fault: { message: (error as Error).message } };
  }
  socket.end(`${JSON.stringify(message)}\n`);
}

/** Returns undefined if no server listens. */
export async function callControlSocket(dataDir: string, request: ControlRequest): Promise<unknown> {
  const socket = createConnection(pathOf(dataDir));
  try {
    await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail));
  } catch {
    return undefined;
  }
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    const reply = JSON.parse(await readLine(socket)) as Reply;
    if ('result' in reply) return reply.result;
    throw new SondeError(
      'STORAGE_UNAVAILABLE',
      `the server could not run the command: ${reply.fault.message}`,
    );
  } finally {
    socket.destroy();
  }
}

async function readLine(socket: Socket): Promise<string> {
  let text = '';
  for await (const piece of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += piece;
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'));
    if (text.length > LINE_BYTES_MAX) break;
  }
  throw new SondeError('STORAGE_UNAVAILABLE', 'the other side closed the control socket');
}
