/**
 * Seeded sequences of requests, sent to several engines side by side. After the published mask (`mask-response.ts`) the
 * responses must be the same. Nothing in a sequence depends on how fast a job runs.
 */
import { Client } from '../access/send.js';
import { maskWhole, type RecordedResponse, readResponse } from './mask-response.js';
import { createRandom, type Random } from './random.js';

interface Step {
  readonly method: string;
  /** `$offset` and `$id` stand for the values in the last response of this engine. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface EngineUnderTest {
  readonly name: string;
  readonly url: string;
  /** Added to every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ComparisonFigures {
  readonly sequences: number;
  readonly requests: number;
  readonly comparisons: number;
  /** By kind of sequence and difference, with the step and both values of the first. */
  readonly differences: Readonly<Record<string, string>>;
}

export interface SequenceOptions {
  readonly seed: number;
  readonly sequences: number;
  readonly site: string;
  /** Whether only ids, hashes and times may differ, because the engine is the same. */
  readonly whole?: boolean;
}

type Kind = (random: Random, name: string, site: string) => Step[];

const text = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };
const asJson = (method: string, path: string, body: unknown, more: Record<string, string> = {}): Step => ({
  method,
  path,
  headers: { ...json, ...more },
  body: JSON.stringify(body),
});

const streams: Kind = (random, name) => {
  const path = `/v1/stream/${name}${random.pick(['', '/deep', '%2Fdeep', ':x'])}`;
  const type = random.pick([text, json]);
  const content = () =>
    type === json ? random.pick(['[1,2]', '{"a":1}', '[]', '{']) : random.pick(['one', '']);
  const append = (more: Record<string, string> = {}): Step => ({
    method: 'POST',
    path,
    headers: { ...random.pick([type, type, type, { 'content-type': 'text/css' }]), ...more },
    body: content(),
  });
  const steps: readonly (() => Step)[] = [
    () => append(),
    () => append(),
    () => append({ 'stream-seq': random.pick(['1', '2', '0']) }),
    () =>
      append({
        'producer-id': 'p',
        'producer-epoch': random.pick(['0', '1']),
        'producer-seq': random.pick(['0', '1', '5', 'x']),
      }),
    () => ({ method: 'POST', path, headers: { 'stream-closed': 'true' } }),
    () => ({ method: 'GET', path: `${path}?offset=${random.pick(['-1', 'now', '$offset', 'x'])}` }),
    () => ({ method: 'GET', path: `${path}?offset=now&live=${random.pick(['long-poll', 'x'])}` }),
    () => ({ method: 'HEAD', path }),
    () => ({ method: 'PATCH', path }),
    () => ({ method: 'DELETE', path }),
    () => ({
      method: 'PUT',
      path: `${path}-fork`,
      headers: { ...type, 'stream-forked-from': path, 'stream-fork-offset': random.pick(['-1', '$offset']) },
    }),
    () => ({ method: 'GET', path: `${path}-fork` }),
    () => ({ method: 'PUT', path, headers: { ...type, 'stream-ttl': random.pick(['60', '0', 'x']) } }),
  ];
  const first = { method: 'PUT', path, headers: type, ...(random.next() < 0.5 && { body: content() }) };
  return [first, ...Array.from({ length: random.whole(4, 12) }, () => random.pick(steps)())];
};

const proxy: Kind = (random, name, site) => {
  const target = random.pick(['/page', '/missing', '/moved', '/none', '/json']);
  const create = (more: Record<string, string> = {}): Step => ({
    method: 'POST',
    path: '/v1/proxy',
    headers: {
      'upstream-url': random.pick([`${site}${target}`, `${site}${target}`, 'http://10.0.0.1/', 'x']),
      'upstream-method': random.pick(['GET', 'POST', 'HEAD']),
      ...more,
    },
    ...(random.next() < 0.3 && { body: 'hello' }),
  });
  return [
    create({ 'idempotency-key': name }),
    create(random.next() < 0.3 ? { 'orphan-policy': random.pick(['keep', 'x']) } : {}),
    { method: random.pick(['GET', 'PUT', 'DELETE', 'HEAD']), path: `/r/up${target}` },
    { method: 'GET', path: '/r/none/x' },
    { method: 'DELETE', path: '/v1/proxy/019a0000-0000-7000-8000-000000000001' },
    { method: 'PATCH', path: '/v1/proxy/x?action=abort' },
  ];
};

const records: Kind = (random, name, site) => {
  const url = random.pick(['x', 'ftp://a/', 'http://u:p@a/', 'http://10.0.0.1/', '']);
  const steps: readonly (() => Step)[] = [
    () => asJson('POST', '/api/audits', { url, pages: random.pick([1, 0, 'x']) }),
    () => asJson('POST', '/api/compare', { leftUrl: url, rightUrl: `${site}/page` }),
    () => asJson('POST', '/api/compare', { leftUrl: `${site}/`, rightUrl: `${site}/`, more: 1 }),
    () => asJson('POST', '/api/suites', { leftUrl: `${site}/`, rightUrl: `${site}/`, paths: [] }),
    () => asJson('POST', '/api/jobs', { kind: random.pick(['hello', 'x']), url }),
    () => ({ method: 'POST', path: '/api/jobs', headers: random.pick([json, text]), body: '{' }),
    () => asJson('POST', '/api/webhooks', { url: `${site}/hook` }, { 'idempotency-key': name }),
    () => ({ method: 'DELETE', path: '/api/webhooks/$id' }),
    () => ({ method: 'GET', path: `/api/${random.pick(['jobs', 'audits', 'suites', 'pairs'])}?limit=0` }),
    () => ({ method: 'GET', path: `/api/${random.pick(['jobs', 'audits', 'compare', 'suites'])}/none` }),
    () => ({ method: 'GET', path: `/api/probe?url=${encodeURIComponent(url)}` }),
    () => ({ method: random.pick(['PUT', 'PATCH', 'HEAD']), path: '/api/jobs' }),
    () => ({ method: 'GET', path: random.pick(['/nothing', '/api/tenant', '/api/health', '/favicon.svg']) }),
    () => ({ method: 'GET', path: `/api/tenant?site=${encodeURIComponent(url)}` }),
  ];
  return Array.from({ length: random.whole(4, 10) }, () => random.pick(steps)());
};

const subscriptions: Kind = (random, name) => {
  const path = `/v1/stream/__ds/subscriptions/${name}`;
  const wanted = {
    type: random.pick(['pull-wake', 'webhook', 'x']),
    streams: [`${name}/followed`],
    wake_stream: `${name}-wakes`,
  };
  const steps: readonly (() => Step)[] = [
    () => ({ method: 'GET', path }),
    () => asJson('POST', `${path}/streams`, { streams: [random.pick(['a', '__ds', ''])] }),
    () => asJson('POST', `${path}/claim`, { worker: 'ann' }),
    () => asJson('POST', `${path}/ack`, { wake_id: 'w', generation: 1 }),
    () => ({ method: 'DELETE', path: `${path}/streams/a` }),
    () => ({ method: random.pick(['PATCH', 'DELETE']), path: `${path}/claim` }),
    () => ({ method: 'DELETE', path }),
  ];
  return [asJson('PUT', path, wanted), ...Array.from({ length: 5 }, () => random.pick(steps)())];
};

const KINDS: Readonly<Record<string, Kind>> = { streams, proxy, records, subscriptions };

export async function compareEngines(
  engines: readonly EngineUnderTest[],
  { seed, sequences, site, whole = false }: SequenceOptions,
): Promise<ComparisonFigures> {
  const random = createRandom(seed);
  const senders = engines.map((engine) => (whole ? sendByClient(engine) : sendByFetch(engine)));
  const differences: Record<string, string> = {};
  let requests = 0;
  let comparisons = 0;
  for (let n = 0; n < sequences; n++) {
    const kind = random.pick(Object.keys(KINDS));
    const steps = KINDS[kind]?.(random, `s${seed}-${n}`, site) ?? [];
    const responses = await Promise.all(senders.map(({ send }) => run(send, steps)));
    requests += steps.length * engines.length;
    const [expected = [], ...others] = responses;
    for (const [at, other] of others.entries()) {
      for (const [index, step] of steps.entries()) {
        comparisons++;
        for (const [what, values] of differing(expected[index], other[index])) {
          const key = `${engines[at + 1]?.name} ${kind} ${step.method} ${what}`;
          differences[key] ??= `${JSON.stringify(step)} ${values}`;
        }
      }
    }
  }
  for (const { close } of senders) close();
  return { sequences, requests, comparisons, differences };
}

interface Answer {
  readonly offset: string | null;
  readonly location: string | null;
  readonly recorded: RecordedResponse;
}

interface Sender {
  send(step: Step): Promise<Answer>;
  close(): void;
}

function sendByFetch({ url, headers }: EngineUnderTest): Sender {
  return {
    async send(step) {
      const response = await fetch(`${url}${step.path}`, {
        method: step.method,
        redirect: 'manual',
        headers: { ...step.headers, ...headers, 'accept-encoding': 'identity' },
        ...(step.body !== undefined && { body: step.body }),
      });
      const [offset, location] = ['stream-next-offset', 'location'].map((name) => response.headers.get(name));
      return {
        offset: offset ?? null,
        location: location ?? null,
        recorded: await readResponse(response, url),
      };
    },
    close: () => {},
  };
}

/** Sees the framing, which `fetch` hides. */
function sendByClient({ url, headers }: EngineUnderTest): Sender {
  const client = new Client(url);
  return {
    async send(step) {
      const received = await client.send({ ...step, headers: { ...step.headers, ...headers } });
      const offset = received.headers['stream-next-offset'];
      return {
        offset: typeof offset === 'string' ? offset : null,
        location: received.headers.location ?? null,
        recorded: maskWhole(received, url),
      };
    },
    close: () => client.close(),
  };
}

async function run(send: Sender['send'], steps: readonly Step[]): Promise<RecordedResponse[]> {
  const known = new Map<string, string>([
    ['$offset', '-1'],
    ['$id', 'none'],
  ]);
  const fill = (given: string) =>
    [...known].reduce((filled, [name, value]) => filled.replaceAll(name, value), given);
  const responses: RecordedResponse[] = [];
  for (const { method, path, headers = {}, body } of steps) {
    const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
    const sent = { method, path: fill(path), headers: filled, ...(body !== undefined && { body }) };
    const { offset, location, recorded } = await send(sent);
    if (offset !== null) known.set('$offset', offset);
    const id = location?.split('/').at(-1);
    if (id !== undefined && path === '/api/webhooks') known.set('$id', id);
    responses.push(recorded);
  }
  return responses;
}

function differing(
  left: RecordedResponse | undefined,
  right: RecordedResponse | undefined,
): [string, string][] {
  const found: [string, string][] = [];
  const note = (what: string, a: unknown, b: unknown) => {
    if (JSON.stringify(a) !== JSON.stringify(b))
      found.push([what, `${JSON.stringify(a)} / ${JSON.stringify(b)}`]);
  };
  note('status', left?.status, right?.status);
  for (const name of new Set([...Object.keys(left?.headers ?? {}), ...Object.keys(right?.headers ?? {})])) {
    note(`header ${name}`, left?.headers[name], right?.headers[name]);
  }
  note('body', left?.body, right?.body);
  return found;
}
