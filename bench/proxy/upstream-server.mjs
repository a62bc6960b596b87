// The upstream of the proxy benchmark. /first?bytes=N responds at once with N bytes; /body?bytes=N sends them as fast
// as they are read; a POST to /v1/chat/completions responds at once with a short completion; /tokens?count=N&every=MS
// sends lines, each with the time at which it was sent.
import { createServer } from 'node:http';

const BLOCK = Buffer.alloc(64 * 1024, 'b');
const COMPLETION = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'pong' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
const wallMs = () => performance.timeOrigin + performance.now();

const server = createServer(async (request, response) => {
  request.resume();
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
  const bytes = Number(searchParams.get('bytes') ?? 0);
  response.setHeader('content-type', 'text/plain');
  if (pathname === '/first') {
    response.end(BLOCK.subarray(0, bytes));
    return;
  }
  if (pathname === '/v1/chat/completions') {
    response.setHeader('content-type', 'application/json');
    response.end(COMPLETION);
    return;
  }
  if (pathname === '/body') {
    for (let left = bytes; left > 0 && !response.destroyed; left -= BLOCK.length) {
      if (!response.write(BLOCK.subarray(0, left)))
        await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end();
    return;
  }
  response.flushHeaders();
  const count = Number(searchParams.get('count') ?? 1);
  let sent = 0;
  const timer = setInterval(
    () => {
      response.write(`token ${sent} ${wallMs().toFixed(3)}\n`.padEnd(40));
      if (++sent === count) {
        clearInterval(timer);
        response.end();
      }
    },
    Number(searchParams.get('every') ?? 100),
  );
  response.once('close', () => clearInterval(timer));
});
// The benchmark's client reuses sockets after pauses, so none may close.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', 4096, () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }));
});
process.once('SIGTERM', () => process.exit());
