/**
 * A breaking wire between a client and a server: it cuts every connection after a number of response body bytes, or
 * before the first byte of a response whose request has arrived. Bytes that pass are exactly those that the server
 * sent.
 */
import { connect, type Socket } from 'node:net';
import { type Listening, listenTcp } from './listen.js';

export interface ChaosRules {
  /** Bytes after the first response head that a connection carries before it breaks. */
  bodyBytes?: number;
  /** How many more responses are lost whole, after the server has started to send them. */
  lostHeads?: number;
  /** Decides for each connection: bytes after its first head, -1 to lose the head, undefined for no break. */
  bytesFor?(): number | undefined;
}

export interface Chaos extends Listening {
  readonly rules: ChaosRules;
  /** Returns the number of connections that were broken. */
  breaks(): number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

export async function startChaos(port: number, rules: ChaosRules = {}): Promise<Chaos> {
  let broken = 0;
  const listening = await listenTcp((client) => {
    const server = connect(port, '127.0.0.1');
    const bytes = rules.bytesFor ? rules.bytesFor() : rules.bodyBytes;
    server.on('error', () => client.destroy());
    client.on('data', (data) => void server.write(data));
    client.on('close', () => server.destroy());
    server.on('close', () => client.end());
    carry({ server, client, rules, bytes, onBreak: () => void broken++ });
  });
  return { ...listening, rules, breaks: () => broken };
}

interface Carried {
  readonly server: Socket;
  readonly client: Socket;
  readonly rules: ChaosRules;
  readonly bytes: number | undefined;
  onBreak(): void;
}

function carry({ server, client, rules, bytes, onBreak }: Carried): void {
  let head: Buffer | undefined = Buffer.alloc(0);
  let left = bytes ?? Number.POSITIVE_INFINITY;
  let dead = false;
  const breakOff = (last?: Buffer) => {
    dead = true;
    onBreak();
    const end = () => {
      client.destroy();
      server.destroy();
    };
    if (last && last.length > 0) client.write(last, end);
    else end();
  };
  server.on('data', (data: Buffer) => {
    if (dead) return;
    if (head && losesHead(rules, left)) return breakOff();
    let through = data.length;
    if (head) {
      head = Buffer.concat([head, data]);
      const at = head.indexOf(HEAD_END);
      if (at < 0) return void client.write(data);
      through = head.length - at - HEAD_END.length;
      head = undefined;
    }
    if (through >= left) return breakOff(data.subarray(0, data.length - through + left));
    left -= through;
    // A reader that does not read slows the server down.
    if (!client.write(data)) {
      server.pause();
      client.once('drain', () => server.resume());
    }
  });
}

function losesHead(rules: ChaosRules, bytes: number): boolean {
  if (bytes < 0) return true;
  const { lostHeads = 0 } = rules;
  if (lostHeads > 0) rules.lostHeads = lostHeads - 1;
  return lostHeads > 0;
}
