/** A key is sent again only if nothing can be lost: what is replayed, what is refused, and when a key is free again. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  answer,
  idOf,
  silence,
  textOf,
  unreachable,
  useProxyService,
} from '../../test/support/proxy-service-bench.js';
import { FULL_DISK, settle } from '../../test/support/pump-bench.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';
import { SondeError } from '../errors.js';
import { StreamedBody } from './streamed-body.js';

const bench = useProxyService();
let keys = 0;
let key = '';
beforeEach(() => {
  key = `key-${++keys}`;
});

const create = (body?: Uint8Array | StreamedBody) => bench.create({ 'idempotency-key': key }, body);
const bytes = (text: string) => new TextEncoder().encode(text);
const abort = (query: Record<string, string> = { action: 'abort' }) =>
  bench.service.abortByKey({ tenant: 'acme', key, query: new URLSearchParams(query) });

/** An upload that counts how often it was read. */
function upload(text: string) {
  const reads = { count: 0 };
  const pieces = (async function* () {
    reads.count++;
    yield bytes(text);
  })();
  return { reads, body: new StreamedBody(pieces, text.length) };
}

/** Reads the whole upload, as an upstream would. */
async function receive(body: unknown): Promise<void> {
  if (body instanceof StreamedBody) await body.discard();
}

describe('a repeat', () => {
  test('of a recorded response names the same stream and sends nothing', async () => {
    const first = await create();
    const second = await create();
    expect([first.status, second.status, idOf(second)]).toEqual([201, 200, idOf(first)]);
    expect(second.headers['Idempotent-Replayed']).toBe('true');
    expect(bench.asked).toHaveLength(1);
    expect(bench.pumps.timers.set).toEqual([]);
  });

  test('of an error response has its status, headers and bytes', async () => {
    const body = new ScriptedBody();
    body.say('slow down');
    body.end();
    bench.reply = () => answer(403, [['retry-after', '7']], body);
    const first = await create();
    const second = await create();
    expect([second.status, await textOf(second)]).toEqual([502, 'slow down']);
    expect(second.headers).toEqual({ ...first.headers, 'Idempotent-Replayed': 'true' });
  });

  test('of our own error has it as JSON', async () => {
    bench.reply = () => unreachable(new SondeError('fetch_error', 'the connection was lost'));
    await create();
    const second = await create();
    expect(second.status).toBe(502);
    expect(second.headers).toMatchObject({ 'Upstream-Status': '502', 'Content-Type': 'application/json' });
    expect(JSON.parse(await textOf(second)).error.code).toBe('UPSTREAM_ERROR');
  });

  test('of an upload is compared by its bytes', async () => {
    bench.reply = async ({ body }) => {
      await receive(body);
      return answer(200);
    };
    const first = await create(upload('abc').body);
    expect(idOf(await create(upload('abc').body))).toBe(idOf(first));
    await expect(create(upload('abd').body)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(idOf(await create(bytes('abc')))).toBe(idOf(first));
    expect(bench.asked).toHaveLength(1);
  });

  test('of a request whose outcome is unknown is refused, without reading its upload', async () => {
    bench.reply = () => Promise.reject(new Error('a bug'));
    await expect(create(upload('abc').body)).rejects.toThrow('a bug');
    const { reads, body } = upload('abc');
    await expect(create(body)).rejects.toMatchObject({ code: 'CREATE_INDETERMINATE' });
    expect(reads.count).toBe(0);
    expect(bench.asked).toHaveLength(1);
  });

  test('while the first is running: 409, and 422 for a different request', async () => {
    bench.reply = silence;
    const first = create();
    await settle();
    const second = await create();
    expect([second.status, second.headers, second.error?.code]).toEqual([
      409,
      { 'Retry-After': '1' },
      'CREATE_IN_PROGRESS',
    ]);
    await expect(create(bytes('other'))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await abort();
    expect((await first).error?.code).toBe('UPSTREAM_ABORTED');
    expect(bench.pumps.timers.set).toEqual([]);
    expect((await create()).status).toBe(409);
    expect(bench.asked).toHaveLength(1);
  });
});

describe('a key is free again', () => {
  test('after the egress layer refused the target', async () => {
    bench.reply = () => unreachable(new SondeError('ssrf_blocked', 'no'));
    expect((await create()).status).toBe(403);
    bench.reply = () => answer(200);
    expect((await create()).status).toBe(201);
  });

  test('after the upload broke', async () => {
    const broken = new StreamedBody(
      // biome-ignore lint/correctness/useYield: it breaks before its first piece
      (async function* () {
        throw new SondeError('BODY_TOO_LARGE', 'too large');
      })(),
      undefined,
    );
    bench.reply = async () => {
      await broken.discard().catch(() => {});
      return unreachable(new SondeError('fetch_error', 'broken'));
    };
    await expect(create(broken)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' });
    bench.reply = () => answer(200);
    expect((await create()).status).toBe(201);
  });

  test('after the tenant had too many responses in progress', async () => {
    await bench.begin({ settings: { streamsMax: 1 } });
    bench.reply = () => answer(200, [], new ScriptedBody());
    const running = await bench.create();
    const refused = await create();
    expect([refused.status, refused.headers, refused.error?.code]).toEqual([429, {}, 'TOO_MANY_STREAMS']);
    expect((await bench.create()).status).toBe(429);
    await bench.service.abort(idOf(running), new URLSearchParams({ action: 'abort' }));
    bench.reply = () => answer(200);
    expect((await create()).status).toBe(201);
  });

  test('after as long as it is kept', async () => {
    await bench.begin({ settings: { keepMs: 1_000 } });
    const first = await create();
    bench.pumps.timers.pass(999);
    expect(idOf(await create())).toBe(idOf(first));
    bench.pumps.timers.pass(1);
    expect((await create()).status).toBe(201);
  });
});

test('a slot is taken only while the request is opened and its response received', async () => {
  await bench.begin({ settings: { streamsMax: 1 } });
  for (let n = 0; n < 3; n++) expect((await bench.create()).status).toBe(201);
  for (let n = 0; n < 3; n++)
    expect((await bench.create({ 'idempotency-key': `${key}-${n}` })).status).toBe(201);
  bench.reply = silence;
  const waiting = create();
  await settle();
  expect((await bench.create()).status).toBe(429);
  await abort();
  await waiting;
});

test.each([
  [() => answer(203), '203'],
  [() => answer(500, [], ended()), '500'],
  [() => unreachable(new SondeError('dns_error', 'no')), '502'],
])('case %#: an outcome that cannot be stored is 502 STORAGE_ERROR', async (reply, upstreamStatus) => {
  bench.reply = reply;
  const { proxy } = bench.pumps.inline;
  const store = Object.assign(Object.create(proxy), {
    pumpStarted: proxy.pumpStarted,
    pumpEnded: proxy.pumpEnded,
    pumps: proxy.pumps,
    beginCreate: proxy.beginCreate,
    endCreate: () => Promise.reject(FULL_DISK),
  });
  await bench.begin({ store });
  bench.reply = reply;
  const { status, headers, error } = await create();
  expect([status, headers, error?.code]).toEqual([
    502,
    { 'Upstream-Status': upstreamStatus },
    'STORAGE_ERROR',
  ]);
});

function ended(): ScriptedBody {
  const body = new ScriptedBody();
  body.end();
  return body;
}

describe('an abort by key', () => {
  test('of a request that has not arrived prevents it', async () => {
    expect(await abort()).toEqual({ status: 204, headers: {} });
    await expect(create()).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(bench.asked).toEqual([]);
  });

  test('of a response in progress stops it, and its repeat still finds the stream', async () => {
    const body = new ScriptedBody();
    bench.reply = () => answer(200, [], body);
    const first = await create();
    expect((await abort()).status).toBe(204);
    expect(body.canceled).toBeGreaterThan(0);
    const again = await create();
    expect([again.status, idOf(again), again.headers['Upstream-Outcome']]).toEqual([
      200,
      idOf(first),
      'aborted',
    ]);
  });

  test('of a request that was refused leaves its outcome', async () => {
    bench.reply = () => unreachable(new SondeError('fetch_error', 'the connection was lost'));
    await create();
    await abort();
    expect((await create()).status).toBe(502);
  });

  test('between two attempts prevents the next one', async () => {
    const headers = { 'idempotency-key': key, authorization: 'Bearer t' };
    const inline = () => bench.inline({ method: 'POST', headers });
    for (const send of [create, inline]) {
      key = headers['idempotency-key'] = `key-${++keys}`;
      bench.reply = () => answer(429, [], ended());
      await send();
      await settle();
      await abort();
      const { status, headers: shown } = await send();
      expect([status, shown['Idempotent-Replayed']]).toEqual([409, 'true']);
    }
    expect(bench.asked).toHaveLength(2);
  });

  test('needs the action, and a valid key', async () => {
    await expect(abort({})).rejects.toMatchObject({ code: 'INVALID_ACTION' });
    const query = new URLSearchParams({ action: 'abort' });
    const by = (given: string | null) => bench.service.abortByKey({ tenant: 'acme', key: given, query });
    await expect(by(null)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(by('a b')).rejects.toMatchObject({ code: 'INVALID_IDEMPOTENCY_KEY' });
    await expect(bench.service.abort('x', new URLSearchParams())).rejects.toMatchObject({
      code: 'INVALID_ACTION',
    });
  });
});
