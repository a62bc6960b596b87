import { expect, test } from 'vitest';
import { readRequest } from './read-request.js';
import { readSettings } from './settings.js';

test('a request is read as fetch would, with its body kept and without its fragment', async () => {
  const init = { method: 'POST', body: 'text', headers: { 'x-a': '1' } };
  const { url, method, headers, body, signal } = await readRequest('https://api.test/a?b#c', init);
  expect([url, method, headers.get('x-a')]).toEqual(['https://api.test/a?b', 'POST', '1']);
  expect(new TextDecoder().decode(body)).toBe('text');
  expect(signal).toBeUndefined();
  expect((await readRequest('https://api.test/')).body).toBeUndefined();
});

test('the signal is that of the call, or else that of the request', async () => {
  const [own, given] = [new AbortController(), new AbortController()];
  const request = new Request('https://api.test/', { signal: own.signal });
  expect((await readRequest(request, { signal: given.signal })).signal).toBe(given.signal);
  const { signal } = await readRequest(request);
  own.abort();
  expect(signal?.aborted).toBe(true);
  await expect(readRequest(request)).rejects.toThrow();
});

test('requests have the same fingerprint only if method, URL and body are the same', async () => {
  const of = async (url: string, init: RequestInit = {}) => (await readRequest(url, init)).fingerprint;
  const post = (body: string) => of('https://api.test/', { method: 'POST', body });
  const all = [
    await of('https://api.test/'),
    await of('https://api.test/x'),
    await of('https://api.test/y'),
    await of('https://api.test/', { method: 'DELETE' }),
    await post('ab'),
    await post('ba'),
    await post('abc'),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(await post('ab')).toBe(all[4]);
  // FNV-1a; requests that earlier versions kept are found by it.
  expect(all[0]).toBe('GET -1638983739 0');
});

test('what is not set has its default', async () => {
  const settings = readSettings({ proxy: 'https://sonde.test/base//' });
  expect(settings).toMatchObject({
    endpoint: 'https://sonde.test/base/v1/proxy',
    onAbort: 'detach',
    retries: 15,
    stallMs: 30_000,
    orphanPolicy: undefined,
  });
  expect(await settings.token()).toBeUndefined();
  expect(await readSettings({ proxy: 'https://sonde.test', token: 'fixed' }).token()).toBe('fixed');
  expect(await readSettings({ proxy: 'https://sonde.test', token: () => 'asked' }).token()).toBe('asked');
  const { timing } = settings;
  expect(Math.abs(timing.now() - Date.now())).toBeLessThan(60_000);
  await new Promise<void>((resolve) => void timing.after(0, resolve));
  let isLate = false;
  timing.after(0, () => {
    isLate = true;
  })();
  await new Promise<void>((resolve) => void timing.after(1, resolve));
  expect(isLate).toBe(false);
});
