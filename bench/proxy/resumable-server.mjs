// A typical proxy written with `resumable-stream`: every response is a resumable stream on Redis. Arguments: the
// upstream, the folder with the packages, the URL of Redis.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { Agent, request } from 'undici';

const [upstream = '', folder = '', redisUrl = ''] = process.argv.slice(2);
process.env['REDIS_URL'] = redisUrl;
const { createResumableStreamContext } = createRequire(`${folder}/`)('resumable-stream');
const context = createResumableStreamContext({ waitUntil: () => {} });
const dispatcher = new Agent({ connections: 4096 });
let streams = 0;

/** @param {import('node:http').IncomingMessage} incoming */
function forward(incoming) {
  const { method = 'GET', url = '/' } = incoming;
  const type = incoming.headers['content-type'];
  return request(`${upstream}${url}`, {
    dispatcher,
    method: /** @type {'GET'} */ (method),
    headers: type === undefined ? {} : { 'content-type': type },
    body: method === 'GET' ? null : incoming,
  });
}

const server = createServer(async (incoming, outgoing) => {
  const response = await forward(incoming);
  const text = () =>
    /** @type {ReadableStream<Uint8Array>} */ (Readable.toWeb(response.body)).pipeThrough(
      /** @type {TransformStream<Uint8Array, string>} */ (new TextDecoderStream()),
    );
  /** @type {ReadableStream<string>} */
  const stream = await context.createNewResumableStream(`${process.pid}-${++streams}`, text);
  outgoing.writeHead(response.statusCode, { 'content-type': String(response.headers['content-type']) });
  outgoing.flushHeaders();
  for await (const piece of stream) outgoing.write(piece);
  outgoing.end();
});
// The benchmark's client reuses sockets after pauses, so none may close.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', 4096, () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
});
process.once('SIGTERM', () => process.exit());
