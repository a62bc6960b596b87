import { expect, it } from 'vitest';
import { fetched } from '../../../test/support/audit-facts.js';
import { SilentHosts } from './silent-hosts.js';

const error = { code: 'timeout', message: 'no response in time' };

it('requests an unresponsive host once, even if many links lead there at the same time', async () => {
  const hosts = new SilentHosts();
  let requests = 0;
  const check = (path: string) =>
    hosts.check(`https://dead.example${path}`, async () => {
      requests += 1;
      return fetched(`https://dead.example${path}`, { error });
    });
  const results = await Promise.all(['/a', '/b', '/c'].map(check));
  results.push(await check('/d'));
  expect(requests).toBe(1);
  expect(results.map(({ url, error: fault, attempts }) => [url, fault?.code, attempts])).toEqual([
    ['https://dead.example/a', 'timeout', 1],
    ['https://dead.example/b', 'timeout', 0],
    ['https://dead.example/c', 'timeout', 0],
    ['https://dead.example/d', 'timeout', 0],
  ]);
});

it('keeps requesting a host that responded before', async () => {
  const hosts = new SilentHosts();
  hosts.note(fetched('https://www.example.com/', { status: 500 }));
  let requests = 0;
  for (const path of ['/a', '/b']) {
    await hosts.check(`https://www.example.com${path}`, async () => {
      requests += 1;
      return fetched(`https://www.example.com${path}`, { error });
    });
  }
  expect(requests).toBe(2);
});
