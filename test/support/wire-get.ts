/** A GET that leaves the body encoded, unlike `fetch`, which decodes it. */
import { get, type IncomingHttpHeaders } from 'node:http';

export function wireGet(
  url: string,
  headers: Record<string, string>,
): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(pieces) }));
    }).on('error', reject);
  });
}
