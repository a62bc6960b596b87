import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createTcp, type Server, type Socket } from 'node:net';

/** A server on loopback that tracks its sockets and can be closed whatever its clients do. */
export interface Listening {
  readonly port: number;
  readonly origin: string;
  /** Sockets that are currently open. */
  readonly sockets: ReadonlySet<Socket>;
  /** Returns the number of sockets ever accepted. */
  accepted(): number;
  /** Resolves when no socket is open. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Leaves closing idle connections to the client. With Node's limit of five seconds, a slow machine may reuse a
 * connection just as it is closed, and a POST on it fails.
 */
export function listenHttp(handler: RequestListener, port = 0): Promise<Listening> {
  return track(createHttp({ keepAliveTimeout: 0 }, handler), 'http', port);
}

export function listenTcp(handler: (socket: Socket) => void): Promise<Listening> {
  return track(createTcp(handler));
}

export async function track(server: Server, scheme = 'http', wanted = 0): Promise<Listening> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  let onIdle: (() => void)[] = [];
  server.on('connection', (socket: Socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => {});
    // An unread socket never notices that its peer hangs up.
    socket.resume();
    socket.on('close', () => {
      sockets.delete(socket);
      if (sockets.size > 0) return;
      for (const resolve of onIdle) resolve();
      onIdle = [];
    });
  });
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    origin: `${scheme}://127.0.0.1:${port}`,
    sockets,
    accepted: () => accepted,
    idle: () => (sockets.size === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
