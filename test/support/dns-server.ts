import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * A DNS server on loopback. It answers A questions from `response`, or stays silent if that returns nothing, and CNAME
 * questions from `aliasOf`.
 */
export interface DnsServer {
  readonly address: string;
  /** The names that were asked for, in order, one per A question. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export async function startDnsServer(
  response: (name: string, turn: number) => string[] | undefined,
  aliasOf: (name: string) => string | undefined = () => undefined,
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query);
    const isA = type === 1;
    if (isA) asked.push(name);
    const addresses = response(name, asked.filter((each) => each === name).length - 1);
    if (!addresses) return;
    const alias = type === CNAME ? aliasOf(name) : undefined;
    if (alias !== undefined) {
      socket.send(writeAlias(query.subarray(0, end), alias), peer.port, peer.address);
      return;
    }
    socket.send(writeResponse(query.subarray(0, end), isA ? addresses : []), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

const CNAME = 5;

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeHead(question: Buffer, responses: number): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(responses, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return head;
}

function writeAlias(question: Buffer, alias: string): Buffer {
  const labels = alias.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);
  const name = Buffer.from([...labels, 0]);
  const record = Buffer.from([0xc0, 12, 0, CNAME, 0, 1, 0, 0, 0, 0, 0, name.length]);
  return Buffer.concat([writeHead(question, 1), record, name]);
}

function writeResponse(question: Buffer, addresses: readonly string[]): Buffer {
  const head = writeHead(question, addresses.length);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
