/**
 * A wire to a server that may restart on another port; each connection is cut after a number of bytes from the server.
 */
import { connect } from 'node:net';
import { type Listening, listenTcp } from './listen.js';

export interface WireRules {
  /** The port that connections are forwarded to. */
  target: number;
  /** Bytes, including the head, that the next connection carries; undefined for no cut. */
  bytesFor(): number | undefined;
}

export async function startFaultyWire(): Promise<Listening & { readonly rules: WireRules }> {
  const rules: WireRules = { target: 0, bytesFor: () => undefined };
  const listening = await listenTcp((client) => {
    const server = connect(rules.target, '127.0.0.1');
    let left = rules.bytesFor() ?? Number.POSITIVE_INFINITY;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    server.on('error', end);
    client.on('error', end);
    client.on('data', (data) => void server.write(data));
    client.on('close', end);
    server.on('close', () => client.end());
    server.on('data', (data: Buffer) => {
      if (left <= 0) return;
      if (data.length < left) client.write(data);
      else client.write(data.subarray(0, left), end);
      left -= data.length;
    });
  });
  return { ...listening, rules };
}
