import { describe, expect, test } from 'vitest';
import { memoryStorage } from '../../../test/support/memory-storage.js';
import {
  created,
  down,
  last,
  piece,
  refused,
  scriptedServer,
} from '../../../test/support/scripted-server.js';

const UPSTREAM = 'https://api.example.com/v1/chat';

/** With a scripted server; the conformance suites run it against a real one. */
describe('a saved request', () => {
  const started = async () => {
    const storage = memoryStorage();
    const { open } = scriptedServer(created(), piece('hel'));
    const response = await open({ storage, requestId: 'a', retries: 0 })(UPSTREAM);
    await expect(response.text()).rejects.toThrow();
    return storage;
  };

  test.each([
    ['last', 3, 'lo'],
    ['start', 0, 'hello'],
  ] as const)('continues from the %s byte', async (resumeFrom, at, rest) => {
    const storage = await started();
    const { open, calls } = scriptedServer(last(rest, { 'stream-total-size': '5' }));
    const response = await open({ storage, requestId: 'a', resumeFrom })(UPSTREAM);
    expect(response.headers.get('stream-position')).toBe(String(at));
    expect(await response.text()).toBe(rest);
    expect(calls.map(({ path }) => path)).toEqual([`/one?sig=s&offset=-1&skip=${at}&live=raw`]);
    // The response is complete, so it cannot be resumed.
    expect(storage.kept.size).toBe(0);
  });

  test.each([404, 410])('is sent again when the server responds with %i', async (status) => {
    const storage = await started();
    const { open, calls } = scriptedServer(refused(status, 'STREAM_GONE'), created(), last('hello'));
    expect(await (await open({ storage, requestId: 'a' })(UPSTREAM)).text()).toBe('hello');
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET']);
  });

  test('is not sent again when the server refuses it', async () => {
    const storage = await started();
    const { open } = scriptedServer(refused(403, 'FORBIDDEN'));
    await expect(open({ storage, requestId: 'a' })(UPSTREAM)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test.each([
    ['another URL', `${UPSTREAM}?x`, {}],
    ['another method', UPSTREAM, { method: 'DELETE' }],
    ['another body', UPSTREAM, { method: 'POST', body: 'x' }],
  ])('is not used for %s with the same name', async (_name, url, init) => {
    const storage = await started();
    const { open, calls } = scriptedServer(created(), last('hello'));
    await (await open({ storage, requestId: 'a' })(url, init)).text();
    expect(calls[0]?.method).toBe('POST');
  });

  test('can be named by a function, or have no name', async () => {
    const storage = memoryStorage();
    const { open } = scriptedServer(created(), piece(''), created(), piece(''));
    const durable = open({ storage, requestId: ({ url }) => (url === UPSTREAM ? 'named' : undefined) });
    await durable(UPSTREAM);
    await durable(`${UPSTREAM}?x`);
    expect([...storage.kept.keys()]).toEqual(['sonde:named']);
  });

  test('is dropped when a create is refused for good, and kept when the server is unreachable', async () => {
    for (const [reply, kept] of [
      [refused(400, 'INVALID_REQUEST'), 0],
      [down, 1],
    ] as const) {
      const storage = memoryStorage();
      const { open } = scriptedServer(reply);
      const response = await open({ storage, requestId: 'a', retries: 0 })(UPSTREAM);
      expect([response.ok, storage.kept.size]).toEqual([false, kept]);
    }
  });

  test('has the new URL when the old one has expired', async () => {
    const storage = memoryStorage();
    const location = 'https://inside.example.com/v1/proxy/one?sig=t';
    const { open } = scriptedServer(
      created(),
      refused(401, 'URL_EXPIRED'),
      created({ location }),
      piece('hel'),
    );
    const response = await open({ storage, requestId: 'a', retries: 0 })(UPSTREAM);
    await expect(response.text()).rejects.toThrow();
    expect(JSON.parse(storage.kept.get('sonde:a') ?? '')).toMatchObject({
      url: 'https://sonde.example.com/v1/proxy/one?sig=t',
      at: 3,
    });
  });

  test('is written only when it has changed', async () => {
    const kept = memoryStorage();
    const written: number[] = [];
    const storage = {
      ...kept,
      setItem: (key: string, value: string) => {
        written.push(JSON.parse(value).at);
        return kept.setItem(key, value);
      },
    };
    const { open } = scriptedServer(
      created(),
      piece('hel'),
      piece('lo', { 'stream-total-size': '9' }),
      last(' you'),
    );
    expect(await (await open({ storage, requestId: 'a' })(UPSTREAM)).text()).toBe('hello you');
    expect(written).toEqual([0, 0, 3, 5, 9]);
  });

  test('does not fail because of a failing storage', async () => {
    const fail = () => {
      throw new Error('full');
    };
    const storage = { getItem: fail, setItem: fail, removeItem: fail };
    const { open } = scriptedServer(created(), piece('hel'), last('lo'));
    expect(await (await open({ storage, requestId: 'a' })(UPSTREAM)).text()).toBe('hello');
  });
});
