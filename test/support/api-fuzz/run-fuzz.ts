/**
 * Sends seeded requests for all operations of the OpenAPI document to a server and collects the responses that it does
 * not cover.
 */
import { Agent, request } from 'node:http';
import { mintToken } from '../../../src/api/auth/mint-token.js';
import { TENANT_SCOPES } from '../../../src/scopes.js';
import { keepingLog, type LogLine } from '../keeping-log.js';
import { listenHttp } from '../listen.js';
import { createRandom, type Random } from '../random.js';
import { serveForTest } from '../serve.js';
import { ApiDocument, type Operation, type Received } from './api-document.js';
import { type FuzzRequest, RequestMaker } from './make-request.js';

export interface FuzzFigures {
  readonly requests: number;
  readonly operations: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Responses that the document does not cover, by operation and reason, with one request for each. */
  readonly problems: Readonly<Record<string, string>>;
  readonly errorLines: readonly string[];
}

export interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
}

const SECRET = 'a-secret-for-the-tokens-of-the-fuzz-run';
const LANES = 8;
/** Only for hangs; on a busy machine a response may take seconds. */
const ANSWER_MS = 120_000;
const IDS_MAX = 40;
/** Every other method gets a response with `Allow`. */
const OTHER_METHODS = ['PATCH', 'PUT', 'POST', 'DELETE', 'GET', 'PURGE'];
/** These start work that takes longer than a request. */
const HEAVY = new Set(['createAudit', 'createSuite', 'createComparison', 'createJob', 'probe']);

export async function runFuzz({ seed, requests }: FuzzOptions): Promise<FuzzFigures> {
  const site = await listenHttp((incoming, outgoing) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://x');
    incoming.resume();
    if (pathname === '/missing')
      return void outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('no');
    if (pathname === '/moved') return void outgoing.writeHead(302, { location: '/' }).end();
    if (pathname === '/none') return void outgoing.writeHead(204).end();
    outgoing
      .writeHead(200, { 'content-type': 'text/html', 'x-build': '7' })
      .end('<title>A page</title><a href=/page>x</a>');
  });
  const lines: LogLine[] = [];
  const server = await serveForTest({
    auth: 'jwt',
    jwt: { secret: SECRET },
    log: keepingLog(lines),
    sseMs: 50,
    longPollMs: 20,
    net: { allowPrivate: [site.origin] },
    proxy: {
      allow: [`private:${site.origin}/*`],
      routes: { up: { url: site.origin, credential: 'env:KEY', private: true } },
      env: () => 'an-upstream-key',
    },
  });
  try {
    const operator = await mintToken({ secret: SECRET, operator: true, expiresInSeconds: 86_400 });
    const tokens = [await tokenOf([...TENANT_SCOPES]), operator, await tokenOf(['stream:read'])];
    const run = new FuzzRun(server.url, site.origin, [...tokens, ...tokens, 'garbage', '']);
    await run.start(seed);
    await run.send(requests);
    const errorLines = lines.filter(({ level }) => level === 'error').map(({ message }) => message);
    return { ...run.figures(), errorLines };
  } finally {
    await server.stop();
    await site.close();
  }
}

function tokenOf(scopes: readonly (typeof TENANT_SCOPES)[number][]): Promise<string> {
  return mintToken({ secret: SECRET, tenant: 'default', scopes: [...scopes], expiresInSeconds: 86_400 });
}

class FuzzRun {
  readonly #url: URL;
  readonly #site: string;
  readonly #tokens: readonly string[];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: LANES });
  readonly #ids = new Map<string, string[]>([['subscription', ['one', 'two', 'th%2Free']]]);
  readonly #statuses: Record<string, number> = {};
  readonly #problems: Record<string, string> = {};
  #api = new ApiDocument({ paths: {}, components: { schemas: {} }, 'x-common-headers': {} });
  #random: Random = createRandom(0);
  #operations: readonly Operation[] = [];
  #sent = 0;

  constructor(url: string, site: string, tokens: readonly string[]) {
    this.#url = new URL(url);
    this.#site = site;
    this.#tokens = tokens;
  }

  async start(seed: number): Promise<void> {
    const { body } = await this.#ask({ method: 'GET', path: '/openapi.json', headers: {} });
    this.#api = new ApiDocument(JSON.parse(body.toString()));
    this.#random = createRandom(seed);
    this.#operations = this.#api.operations.flatMap((operation) =>
      Array<Operation>(HEAVY.has(operation.operationId) ? 1 : 4).fill(operation),
    );
  }

  async send(count: number): Promise<void> {
    const world = { ids: this.#ids, tokens: this.#tokens, site: this.#site };
    const maker = new RequestMaker(this.#api, this.#random, world);
    const lane = async () => {
      while (this.#sent < count) {
        this.#sent++;
        const operation = this.#random.pick(this.#operations);
        await this.#try(operation, maker.make(operation));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    this.#agent.destroy();
  }

  figures() {
    return {
      requests: this.#sent,
      operations: this.#api.operations.length,
      statuses: this.#statuses,
      problems: this.#problems,
    };
  }

  async #try(operation: Operation, made: FuzzRequest): Promise<void> {
    const asHead = operation.method === 'GET' && this.#random.next() < 0.03;
    const other = !asHead && this.#random.next() < 0.02 ? this.#random.pick(OTHER_METHODS) : undefined;
    if (other && !this.#api.methodsOf(operation.path).includes(other)) {
      return this.#tryOther(operation, { ...made, method: other });
    }
    const sent = asHead && !made.path.startsWith('/v1/') ? { ...made, method: 'HEAD' } : made;
    const received = await this.#ask(sent).catch((error: unknown) => String(error));
    if (typeof received === 'string') return this.#note(operation, sent, received);
    this.#statuses[received.status] = (this.#statuses[received.status] ?? 0) + 1;
    this.#harvest(received);
    const problem = received.status === 500 ? '500' : this.#api.problem(operation, received, sent.method);
    if (problem) this.#note(operation, sent, problem);
  }

  async #tryOther(operation: Operation, sent: FuzzRequest): Promise<void> {
    const { status, headers } = await this.#ask(sent);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    if (status !== 405) return;
    const allowed = String(headers['allow'])
      .split(', ')
      .filter((name) => !['HEAD', 'OPTIONS'].includes(name));
    const documented = this.#api.methodsOf(operation.path);
    if (allowed.sort().join() !== documented.join())
      this.#note(operation, sent, `Allow is ${allowed.join()}`);
  }

  #note({ operationId }: Operation, { method, path, headers }: FuzzRequest, problem: string): void {
    const key = `${operationId}: ${problem.slice(0, 300)}`;
    this.#problems[key] ??=
      `${method} ${path.slice(0, 200)} ${JSON.stringify({ ...headers, Authorization: '…' }).slice(0, 300)}`;
  }

  /** Ids in a response become parameters of later requests. */
  #harvest({ headers, body }: Received): void {
    const proxied = /\/v1\/proxy\/([0-9a-f-]{36})/.exec(String(headers['location'] ?? ''))?.[1];
    if (proxied) this.#keep('proxied', proxied);
    const offset = headers['stream-next-offset'];
    if (typeof offset === 'string') this.#keep('offset', offset);
    const names = /"(jobId|auditId|comparisonId|pairKey|suiteId|webhookId)":"([^"]{1,100})"/g;
    for (const [, name = '', id = ''] of body.subarray(0, 2_000).toString().matchAll(names))
      this.#keep(name, id);
  }

  #keep(name: string, id: string): void {
    const known = this.#ids.get(name) ?? [];
    this.#ids.set(name, known);
    if (known.includes(id)) return;
    if (known.length < IDS_MAX) known.push(id);
    else known[this.#random.whole(0, IDS_MAX - 1)] = id;
  }

  #ask({ method, path, headers, body }: FuzzRequest): Promise<Received> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = this.#url;
      const length = body ? { 'Content-Length': String(body.length) } : {};
      const id = crypto.randomUUID();
      const options = {
        agent: this.#agent,
        hostname,
        port,
        method,
        path,
        headers: { 'X-Request-Id': id, ...headers, ...length },
      };
      const outgoing = request(options, (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('error', reject);
        // A response to another request would mean that the framing of this connection is broken. A head that is too
        // large is refused before its id is known.
        const answered = incoming.headers['x-request-id'];
        if (answered !== id && incoming.statusCode !== 431)
          reject(new Error(`the response is to ${String(answered)}, not to ${id}`));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(pieces),
          }),
        );
      });
      outgoing.setTimeout(ANSWER_MS, () => outgoing.destroy(new Error('no response')));
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}
