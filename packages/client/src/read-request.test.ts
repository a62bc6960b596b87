import { expect, test } from 'vitest';
import { readRequest } from './read-request.js';
import { readSettings } from './settings.js';

test('reads a request like fetch, with its body and without its fragment', async () => {
  const init = { method: 'POST', body: 'text', headers: { 'x-a': '1' } };
  const { url, method, headers, body, signal } = await readRequest('https://api.test/a?b#c', init);
  expect([url, method, headers.get('x-a')]).toEqual(['https://api.test/a?b', 'POST', '1']);
  expect(new TextDecoder().decode(body)).toBe('text');
  expect(signal).toBeUndefined();
  expect((await readRequest('https://api.test/')).body).toBeUndefined();
});

test('the signal of the call takes precedence over that of the request', async () => {
  const [own, given] = [new AbortController(), new AbortController()];
  const request = new Request('https://api.test/', { signal: own.signal });
  expect((await readRequest(request, { signal: given.signal })).signal).toBe(given.signal);
  const { signal } = await readRequest(request);
  own.abort();
  expect(signal?.aborted).toBe(true);
  await expect(readRequest(request)).rejects.toThrow();
});

test('requests have equal fingerprints only if method, URL and body are equal', async () => {
  const fingerprintOf = async (url: string, init: RequestInit = {}) =>
    (await readRequest(url, init)).fingerprint;
  const post = (body: string) => fingerprintOf('https://api.test/', { method: 'POST', body });
  const all = [
    await fingerprintOf('https://api.test/'),
    await fingerprintOf('https://api.test/x'),
    await fingerprintOf('https://api.test/y'),
    await fingerprintOf('https://api.test/', { method: 'DELETE' }),
    await post('ab'),
    await post('ba'),
    await post('abc'),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(await post('ab')).toBe(all[4]);
  // Must not change: requests that earlier versions saved are found by this FNV-1a hash.
  expect(all[0]).toBe('GET -1638983739 0');
});

test('options that are not set have their defaults', async () => {
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
  expect(await readSettings({ proxy: 'https://sonde.test', token: () => 'called' }).token()).toBe('called');
  const { timing } = settings;
  expect(Math.abs(timing.now() - Date.now())).toBeLessThan(60_000);
  await new Promise<void>((resolve) => void timing.after(0, resolve));
  let hasRun = false;
  timing.after(0, () => {
    hasRun = true;
  })();
  await new Promise<void>((resolve) => void timing.after(1, resolve));
  expect(hasRun).toBe(false);
});
