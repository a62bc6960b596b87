import type { IncomingMessage } from 'node:http';

/** The other end of a request's connection. A dual-stack socket shows IPv4 peers as mapped addresses. */
export function peerAddressOf({ socket }: Pick<IncomingMessage, 'socket'>): string | undefined {
  return socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '');
}
