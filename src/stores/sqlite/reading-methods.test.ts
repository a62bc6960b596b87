import { expect, test } from 'vitest';
import { openDatabase } from '../../runtimes/node/sqlite/open-database.js';
import { PROXY_READING } from './reading-methods.js';
import { SqliteProxyStore } from './sqlite-proxy-store.js';

test('the look-ups of the proxy need no commit, so they work while nothing can be written', () => {
  const database = openDatabase(':memory:');
  const store = new SqliteProxyStore(database);
  store.beginCreate({ key: 'k', fingerprint: 'f', now: 1, expiresAt: 9 });
  database.run('PRAGMA query_only = 1', []);
  expect(() => store.dropCreate('k')).toThrow();
  const lookUps = {
    pumps: () => store.pumps('', 1),
    findCreate: () => store.findCreate('k', 1),
    attempts: () => store.attempts('r'),
    openAttempts: () => store.openAttempts({ response: '', n: 0 }, 1),
    headlessBeyond: () => store.headlessBeyond('t', 1, 1),
  };
  expect([...PROXY_READING].sort()).toEqual(Object.keys(lookUps).sort());
  expect(lookUps.findCreate()).toMatchObject({ fingerprint: 'f' });
  for (const lookUp of Object.values(lookUps)) expect(lookUp).not.toThrow();
  database.close();
});
