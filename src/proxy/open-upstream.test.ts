/** What is sent upstream, and what the caller gets if there is no response to record. */
import { describe, expect, test } from 'vitest';
import {
  answer,
  idOf,
  silence,
  textOf,
  unreachable,
  useProxyService,
} from '../../test/support/proxy-service-bench.js';
import { settle } from '../../test/support/pump-bench.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';
import { SondeError } from '../errors.js';
import { StreamedBody } from './streamed-body.js';

const bench = useProxyService();

const NEVER_MS = 2_147_483_647;

/** A body that is sent piece by piece, each when the test says so. */
function upload() {
  const pieces = new ScriptedBody();
  const body = new StreamedBody(
    (async function* () {
      for (let piece = await pieces.read(); piece; piece = await pieces.read()) yield piece;
    })(),
    undefined,
  );
  return { pieces, body };
}

describe('the request', () => {
  test('has no body if there are no bytes, follows no redirect and leaves all time limits to the proxy', async () => {
    await bench.create();
    expect(bench.asked).toEqual([
      {
        lifted: false,
        request: {
          url: 'http://a.example/it',
          method: 'POST',
          headers: expect.anything(),
          maxRedirects: 0,
          signal: expect.anything(),
          limits: { totalMs: NEVER_MS, headersMs: NEVER_MS, idleMs: NEVER_MS, bodyBytes: 2 ** 30 },
        },
      },
    ]);
  });

  test('has a body even of one byte', async () => {
    await bench.create({}, new Uint8Array(1));
    expect(bench.asked[0]?.request.body).toEqual(new Uint8Array(1));
  });

  test('may reach a private address if its pattern is private', async () => {
    await bench.create({ 'upstream-url': 'http://b.example/' });
    expect(bench.asked[0]?.lifted).toBe(true);
  });

  test('keeps the coding of the response only on inline routes', async () => {
    await bench.inline();
    await bench.create();
    expect(bench.asked.map(({ request }) => request.keepCoding)).toEqual([true, undefined]);
  });
});

describe('an upload', () => {
  test('may take longer than the head, as long as it goes on', async () => {
    const { pieces, body } = upload();
    bench.reply = async (request) => {
      for await (const _piece of body);
      return silence(request);
    };
    const response = bench.create({}, body);
    await settle();
    for (let n = 0; n < 3; n++) {
      bench.pumps.timers.pass(50_000);
      pieces.say('x');
      await settle();
    }
    bench.pumps.timers.pass(50_000);
    pieces.end();
    await settle();
    bench.pumps.timers.pass(59_999);
    await settle();
    bench.pumps.timers.pass(1);
    expect((await response).error?.code).toBe('UPSTREAM_TIMEOUT');
  });

  test('that broke is the error of the caller', async () => {
    const { pieces, body } = upload();
    bench.reply = async () => {
      await body.discard().catch(() => {});
      return unreachable(new SondeError('fetch_error', 'broken'));
    };
    pieces.fail('response_too_large');
    await expect(bench.create({}, body)).rejects.toMatchObject({ code: 'response_too_large' });
  });

  test('that broke after the upstream responded does not matter', async () => {
    const { pieces, body } = upload();
    bench.reply = async () => {
      await body.discard().catch(() => {});
      return answer(200);
    };
    pieces.fail('response_too_large');
    expect((await bench.create({}, body)).status).toBe(201);
  });

  test('that arrived whole, but got no response, is the error of the upstream', async () => {
    const { pieces, body } = upload();
    pieces.end();
    bench.reply = () => unreachable(new SondeError('fetch_error', 'hung up'));
    expect((await bench.create({}, body)).error?.code).toBe('UPSTREAM_ERROR');
  });
});

describe('without a response', () => {
  test('no head in time: 504, and no timer is left', async () => {
    bench.reply = silence;
    const response = bench.create();
    await settle();
    bench.pumps.timers.pass(60_000);
    const { status, headers, error } = await response;
    expect([status, headers, error?.code]).toEqual([504, {}, 'UPSTREAM_TIMEOUT']);
    expect(bench.pumps.timers.set).toEqual([]);
  });

  test.each([
    ['ssrf_blocked', { rule: 'loopback' }, { rule: 'loopback' }],
    ['ssrf_blocked', { rule: 5 }, {}],
    ['invalid_url', {}, {}],
  ] as const)('refused by the egress layer with %s %j: 403', async (code, details, shown) => {
    bench.reply = () => unreachable(new SondeError(code, 'no', { details }));
    const { status, headers, error } = await bench.create();
    expect([status, headers, error?.code, error?.details]).toEqual([403, {}, 'UPSTREAM_NOT_ALLOWED', shown]);
  });

  test('any other failure: 502 with its reason', async () => {
    bench.reply = () => unreachable(new SondeError('dns_error', 'no such name'));
    const { status, headers, error } = await bench.create();
    expect([status, headers]).toEqual([502, { 'Upstream-Status': '502' }]);
    expect(error).toMatchObject({ code: 'UPSTREAM_ERROR', details: { reason: 'dns_error' } });
  });
});

describe('a redirect', () => {
  test.each([
    [4_096, 0],
    [4_097, 1],
  ])('with a body of %i bytes is canceled %i times', async (bytes, canceled) => {
    const body = new ScriptedBody();
    body.say(new Uint8Array(bytes));
    body.end();
    bench.reply = () => answer(307, [], body);
    const { status, headers, error } = await bench.create();
    expect([status, headers, error?.code]).toEqual([
      400,
      { 'Upstream-Status': '307' },
      'REDIRECT_NOT_ALLOWED',
    ]);
    expect(body.canceled).toBe(canceled);
  });
});

describe('an error response', () => {
  const forwarded = async (act: (body: ScriptedBody) => void, type?: string) => {
    const body = new ScriptedBody();
    bench.reply = () => answer(500, type === undefined ? [] : [['content-type', type]], body);
    const response = bench.create();
    act(body);
    return { response: await response, body };
  };

  test.each([
    ['text/x', 'text/x'],
    [undefined, 'application/octet-stream'],
  ])('with the type %s is returned as %s', async (type, shown) => {
    const { response } = await forwarded((body) => {
      body.say('why');
      body.end();
    }, type);
    expect([response.status, response.headers['Content-Type']]).toEqual([502, shown]);
    expect(response.headers['Upstream-Status']).toBe('500');
    expect(await textOf(response)).toBe('why');
    expect(bench.pumps.timers.set).toEqual([]);
  });

  test('that breaks is returned as far as it arrived', async () => {
    const { response } = await forwarded((body) => {
      body.say('half');
      body.fail('fetch_error', 'reset');
    });
    expect([response.status, await textOf(response)]).toEqual([502, 'half']);
  });

  test.each([
    ['exactly', [65_536], 65_536],
    ['beyond', [65_535, 5], 65_536],
    ['to the last byte up to', [65_535, 1], 65_536],
  ] as const)('%s 64 KiB is cut there, and its upstream is released', async (_name, sizes, length) => {
    const body = new ScriptedBody();
    bench.reply = () => answer(500, [], body);
    const reply = bench.create();
    for (const size of sizes) body.say('x'.repeat(size));
    await settle();
    expect(body.canceled).toBe(0);
    bench.pumps.timers.pass(1_000);
    expect((await textOf(await reply)).length).toBe(length);
    expect([body.reads, body.canceled]).toEqual([sizes.length + 1, 1]);
  });

  test.each([
    ['ends within a second and 1 MiB is read to its end', 2 ** 20, 0],
    ['has more than 1 MiB after the first 64 KiB is released', 2 ** 20 + 1, 1],
  ])('that %s', async (_name, rest, canceled) => {
    const { response, body } = await forwarded((each) => {
      each.say('x'.repeat(65_536));
      each.say(new Uint8Array(rest));
      each.end();
    });
    expect((await textOf(response)).length).toBe(65_536);
    expect(body.canceled).toBe(canceled);
    expect(bench.pumps.timers.set).toEqual([]);
  });

  test('that falls silent: 504, counted from its last byte', async () => {
    const body = new ScriptedBody();
    bench.reply = () => answer(500, [], body);
    const reply = bench.create();
    await settle();
    bench.pumps.timers.pass(400_000);
    body.say('half');
    await settle();
    bench.pumps.timers.pass(599_999);
    await settle();
    expect(body.canceled).toBe(0);
    bench.pumps.timers.pass(1);
    const { status, headers, error } = await reply;
    expect([status, headers['Upstream-Status'], error?.code]).toEqual([504, '500', 'UPSTREAM_BODY_TIMEOUT']);
    expect(body.canceled).toBe(1);
  });
});

test.each([
  [199, 502],
  [200, 201],
  [299, 201],
  [300, 400],
  [399, 400],
  [400, 502],
])('a create whose upstream responds with %i gets %i', async (status, expected) => {
  const body = new ScriptedBody();
  body.end();
  bench.reply = () => answer(status, [], body);
  expect((await bench.create()).status).toBe(expected);
});

test('the Location is signed for whole seconds, rounded down', async () => {
  await bench.begin({ settings: { urlMs: 10_000 } });
  const { timers } = bench.pumps;
  timers.pass(1_999 - (timers.now() % 1_000));
  const created = await bench.create();
  const { searchParams } = new URL(created.headers['Location'] ?? '');
  expect(Number(searchParams.get('expires'))).toBe((timers.now() - 999) / 1_000 + 10);
  expect(created.headers['Idempotent-Replayed']).toBeUndefined();
  expect(bench.service.verifySignature(idOf(created), searchParams)?.access).toBe('full');
  expect(bench.service.verifySignature(idOf(created), new URLSearchParams())).toBeUndefined();
  const other = new URLSearchParams({ expires: searchParams.get('expires') ?? '', signature: 'x' });
  expect(() => bench.service.verifySignature(idOf(created), other)).toThrow('not valid');
});
