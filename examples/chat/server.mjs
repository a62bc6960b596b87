// A chat's backend: serves the page, hands it a token for Sonde, calls the model and streams its words as plain text.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const {
  PORT = '3000',
  SONDE_SERVER = 'http://127.0.0.1:4747',
  SONDE_TOKEN = '',
  OPENAI_API_KEY,
  OPENAI_BASE_URL = 'https://api.openai.com/v1',
  OPENAI_MODEL = 'gpt-5-mini',
} = process.env;

const TEXT = `You asked a question, and this is the answer of a model that is not there. It is slow on purpose: reload the
page now, and the next word appears where the last one stopped. Nothing is asked twice, and nothing is lost.`;
const WORD_MS = 100;

async function* wordsOfNobody() {
  for (const word of TEXT.split(/\s+/)) {
    yield `${word} `;
    await sleep(WORD_MS);
  }
}

/** @param {unknown} messages */
async function* wordsOfModel(messages) {
  const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPENAI_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: OPENAI_MODEL, messages, stream: true }),
  });
  if (!response.ok || !response.body) throw new Error(`the model responded with ${response.status}`);
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      yield JSON.parse(line.slice('data: '.length)).choices[0]?.delta?.content ?? '';
    }
  }
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text);
}

/** The page, and the client of the package: `client.js` and what it imports. @param {string} path */
async function fileOf(path) {
  if (path === '/')
    return { type: 'text/html', bytes: await readFile(new URL('index.html', import.meta.url)) };
  const [, name] = /^\/sonde\/(client\.js|chunks\/client-\w+\.js)$/.exec(path) ?? [];
  if (name === undefined) return undefined;
  const file = new URL(name, import.meta.resolve('sonde/client'));
  return { type: 'text/javascript', bytes: await readFile(file) };
}

const server = createServer(async (request, response) => {
  const path = request.url ?? '/';
  if (request.method === 'POST' && path === '/api/chat') {
    const { messages } = await bodyOf(request);
    console.log(`asked: ${messages.at(-1).content}`);
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    return Readable.from(OPENAI_API_KEY ? wordsOfModel(messages) : wordsOfNobody()).pipe(response);
  }
  if (path === '/settings') {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const settings = { sonde: SONDE_SERVER, token: SONDE_TOKEN, api: `http://127.0.0.1:${port}/api/chat` };
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(settings));
  }
  const file = await fileOf(path);
  if (file) response.writeHead(200, { 'content-type': file.type }).end(file.bytes);
  else response.writeHead(404).end();
});

server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`open http://127.0.0.1:${port}`);
});
