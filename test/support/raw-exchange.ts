import { connect } from 'node:net';

interface Patience {
  /** How long the server may be silent once it has started to respond. */
  readonly quietMs?: number;
  /** How long it may be silent before that. */
  readonly firstMs?: number;
  readonly endInput?: boolean;
}

/** Writes bytes to a socket unchanged, in this many parts, and collects the response until it closes or stalls. */
export function rawExchange(
  port: number,
  parts: readonly string[],
  { quietMs = 150, firstMs = quietMs, endInput = false }: Patience = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let got = '';
    let timer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(got);
    };
    const rearm = () => {
      clearTimeout(timer);
      timer = setTimeout(finish, got === '' ? firstMs : quietMs);
    };
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      got += text;
      rearm();
    });
    socket.on('error', finish);
    socket.on('close', finish);
    socket.on('connect', () => {
      rearm();
      socket.setNoDelay(true);
      void (async () => {
        for (const part of parts) {
          socket.write(part, 'latin1');
          await new Promise((next) => setImmediate(next));
        }
        if (endInput) socket.end();
      })();
    });
  });
}
