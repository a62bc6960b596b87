/** durableFetch across lost connections, reloads and readers that leave. */
import { describe, expect, test } from 'vitest';
import { TOKEN, useDurable } from '../support/durable-harness.js';
import { memoryStorage } from '../support/memory-storage.js';

const on = useDurable();

describe('over a wire that breaks', () => {
  test('a create whose response is lost is repeated under its key, even while it is in progress', async () => {
    on.chaos.rules.lostHeads = 0;
    let reply = () => {};
    on.handle = (_request, response) => {
      reply = () => void response.end('once');
      for (const socket of on.chaos.sockets) socket.destroy();
    };
    const seen: number[] = [];
    const asking = on.open({
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        seen.push(response.status);
        if (response.status === 409) reply();
        return response;
      },
    })(on.upstream.origin, { method: 'POST', body: 'x' });
    expect(await (await asking).text()).toBe('once');
    expect(seen.slice(0, 2)).toEqual([409, 200]);
    expect(on.calls.length).toBe(1);
    expect(on.calls[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
  });

  test('progress resets the retry count', async () => {
    const bytes = Buffer.alloc(20_000, 'abcdefghij');
    on.handle = (_request, response) => void response.end(bytes);
    on.chaos.rules.bodyBytes = 500;
    const response = await on.open({ retries: 2 })(on.upstream.origin);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(on.chaos.breaks()).toBeGreaterThan(30);
  });

  test('a stalled connection is dropped, and the response continues over another', async () => {
    let finish = () => {};
    on.handle = (_request, response) => {
      response.writeHead(200).write('one ');
      finish = () => void response.end('two');
    };
    let reads = 0;
    const response = await on.open({
      stallMs: 300,
      fetch: async (url, init) => {
        const real = await fetch(url, init);
        if (init.method === 'POST' || ++reads > 1) return real;
        // A dead phone connection looks like this: some bytes, then nothing.
        const first = (await real.body?.getReader().read())?.value;
        finish();
        let sent = false;
        const body = new ReadableStream({
          pull(controller) {
            if (!sent) controller.enqueue(first);
            sent = true;
            return new Promise((_resolve, reject) => {
              init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
              if (controller.desiredSize === 0) _resolve(undefined);
            });
          },
        });
        return new Response(body, { status: real.status, headers: real.headers });
      },
    })(on.upstream.origin);
    expect(await response.text()).toBe('one two');
  });

  test('an expired URL is renewed under the same key', async () => {
    let reads = 0;
    const response = await on.open({
      fetch: (url, init) => {
        if (init.method === 'POST' || ++reads > 1) return fetch(url, init);
        return fetch(url.replace(/expires=\d+/, 'expires=1000000000'), init);
      },
    })(on.upstream.origin);
    expect(await response.text()).toBe('hello');
    expect(on.calls.length).toBe(1);
  });
});

test('the upstream is read no faster than the body', async () => {
  const MB = 1024 * 1024;
  let sent = 0;
  on.handle = (_request, response) => {
    const more = () => {
      while (sent < 64 && response.write(Buffer.alloc(MB))) sent++;
      if (sent++ < 64) response.once('drain', more);
      else response.end();
    };
    more();
  };
  let received = 0;
  const response = await on.open({
    fetch: async (url, init) => {
      const real = await fetch(url, init);
      const counted = real.body?.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(piece, controller) {
            received += piece.length;
            controller.enqueue(piece);
          },
        }),
      );
      return new Response(counted ?? null, { status: real.status, headers: real.headers });
    },
  })(on.upstream.origin);
  const reader = response.body?.getReader();
  await reader?.read();
  // Only requested bytes are pulled: what one read needs, plus the platform's buffers.
  await new Promise((resolve) => setImmediate(resolve));
  expect(received).toBeLessThan(2 * MB);
  await reader?.cancel();
});

describe('with a storage', () => {
  test('a reload continues where it left off, or from the start, without a second call', async () => {
    let finish = () => {};
    on.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/x' }).write('one ');
      finish = () => void response.end('two');
    };
    const storage = memoryStorage();
    const options = { storage, requestId: () => 'chat-1' };
    const first = await on.open(options)(on.upstream.origin, { method: 'POST', body: 'q' });
    const reader = first.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one ');
    void reader?.read().catch(() => {});
    await expect.poll(() => JSON.parse(storage.kept.get('sonde:chat-1') ?? '{}').at).toBe(4);
    const kept = storage.kept.get('sonde:chat-1') ?? '';
    await reader?.cancel();
    finish();

    storage.kept.set('sonde:chat-1', kept);
    const again = await on.open({ ...options, resumeFrom: 'start' })(on.upstream.origin, {
      method: 'POST',
      body: 'q',
    });
    expect([again.headers.get('stream-position'), await again.text()]).toEqual(['0', 'one two']);
    expect(storage.kept.size).toBe(0);

    storage.kept.set('sonde:chat-1', kept);
    const resumed = await on.open(options)(on.upstream.origin, { method: 'POST', body: 'q' });
    expect([
      resumed.status,
      resumed.headers.get('content-type'),
      resumed.headers.get('stream-position'),
    ]).toEqual([200, 'text/x', '4']);
    expect(await resumed.text()).toBe('two');
    expect([on.calls.length, storage.kept.size]).toEqual([1, 0]);
  });

  test('after the end, or with another body, the same name makes a new request', async () => {
    const storage = memoryStorage();
    const fetch = on.open({ storage, requestId: 'same' });
    expect(await (await fetch(on.upstream.origin, { method: 'POST', body: 'a' })).text()).toBe('hello');
    await fetch(on.upstream.origin, { method: 'POST', body: 'a' });
    await fetch(on.upstream.origin, { method: 'POST', body: 'b' });
    expect(on.calls.map(({ body }) => body)).toEqual(['a', 'a', 'b']);
  });

  test('a response that the server no longer has is requested again', async () => {
    const storage = memoryStorage();
    const fetchAgain = on.open({ storage, requestId: 'gone' });
    const first = await fetchAgain(on.upstream.origin);
    const id = new URL(first.headers.get('stream-location') ?? '').pathname;
    const gone = await fetch(on.server.url + id, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(gone.status).toBe(204);
    expect(await (await fetchAgain(on.upstream.origin)).text()).toBe('hello');
    expect(on.calls.length).toBe(2);
  });

  test('a create cut off by a reload is found again under its key', async () => {
    const storage = memoryStorage();
    const fetchOnce = on.open({ storage, requestId: 'cut' });
    on.handle = (_request, response) => {
      for (const socket of on.chaos.sockets) socket.destroy();
      response.end('made once');
    };
    const stopped = new AbortController();
    const cut = on.open({ storage, requestId: 'cut', retries: 0 })(on.upstream.origin, {
      signal: stopped.signal,
    });
    expect(await (await cut).text()).toContain('RETRIES_EXHAUSTED');
    expect(await (await fetchOnce(on.upstream.origin)).text()).toBe('made once');
    expect(on.calls.length).toBe(1);
  });

  test('a failing storage stores nothing and breaks nothing', async () => {
    const fail = () => {
      throw new Error('full');
    };
    const storage = { getItem: fail, setItem: fail, removeItem: fail };
    expect(await (await on.open({ storage, requestId: 'x' })(on.upstream.origin)).text()).toBe('hello');
  });
});

describe('aborting', () => {
  test.each(['detach', 'cancel'] as const)(
    'aborting the signal later ends the body with its reason: %s',
    async (onAbort) => {
      on.handle = (_request, response) => void response.writeHead(200).write('half');
      const stop = new AbortController();
      const response = await on.open({ onAbort })(on.upstream.origin, { signal: stop.signal });
      const reader = response.body?.getReader();
      await reader?.read();
      const next = reader?.read();
      stop.abort(new Error('enough'));
      await expect(next).rejects.toThrow('enough');
    },
  );

  test('an aborted signal sends nothing', async () => {
    await expect(on.open()(on.upstream.origin, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    expect(on.calls.length).toBe(0);
  });
});
