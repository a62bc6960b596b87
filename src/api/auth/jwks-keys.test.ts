import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { TestClock } from '../../../test/support/app-for-tests.js';
import { keepingLog, type LogLine } from '../../../test/support/keeping-log.js';
import { JwksKeys } from './jwks-keys.js';

async function publicKey(kid: string): Promise<JWK> {
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  return { ...(await exportJWK(publicKey)), kid };
}

const first = await publicKey('first');
const second = await publicKey('second');
const header = (kid: string) => ({ alg: 'ES256', kid });
const jws = { payload: '', signature: '' };

describe('JwksKeys', () => {
  let clock: TestClock;
  let served: () => Promise<JSONWebKeySet>;
  let loads: number;
  let lines: LogLine[];
  let keys: JwksKeys;
  const keyFor = (kid: string) => keys.keyFor(header(kid), jws);

  beforeEach(() => {
    clock = new TestClock();
    loads = 0;
    lines = [];
    served = async () => ({ keys: [first] });
    keys = new JwksKeys({
      load: () => {
        loads += 1;
        return served();
      },
      clock: clock.now,
      log: keepingLog(lines),
    });
  });

  test('loads the set once for concurrent callers and caches it', async () => {
    await Promise.all([keyFor('first'), keyFor('first'), keyFor('first')]);
    clock.ms += 9 * 60_000;
    await keyFor('first');
    expect(loads).toBe(1);
  });

  test('an unknown key causes one load, then no more until the cooldown has passed', async () => {
    await keyFor('first');
    clock.ms += 30_000;
    for (let i = 0; i < 20; i += 1) {
      await expect(keyFor(`unknown-${i}`)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    }
    expect(loads).toBe(2);
    served = async () => ({ keys: [first, second] });
    clock.ms += 30_000;
    await keyFor('second');
    expect(loads).toBe(3);
  });

  test('a set is used for ten minutes and then reloaded once', async () => {
    await keyFor('first');
    clock.ms += 10 * 60_000;
    await keyFor('first');
    expect(loads).toBe(1);
    clock.ms += 1;
    await Promise.all([keyFor('first'), keyFor('first')]);
    expect(loads).toBe(2);
  });

  test('a failed load is retried after 30 seconds and not before', async () => {
    served = () => Promise.reject(new Error('down'));
    await expect(keyFor('first')).rejects.toMatchObject({ code: 'NOT_READY' });
    clock.ms += 29_999;
    await expect(keyFor('first')).rejects.toMatchObject({ code: 'NOT_READY' });
    expect(loads).toBe(1);
    served = async () => ({ keys: [first] });
    clock.ms += 1;
    await expect(keyFor('first')).resolves.toBeDefined();
  });

  test('a stale set is used for an hour, to the millisecond', async () => {
    await keyFor('first');
    served = () => Promise.reject(new Error('down'));
    clock.ms += 60 * 60_000;
    await expect(keyFor('first')).resolves.toBeDefined();
    clock.ms += 1;
    await expect(keyFor('first')).rejects.toMatchObject({ code: 'NOT_READY' });
  });

  test('a set that cannot be refreshed is used for an hour, and each failure is logged', async () => {
    await keyFor('first');
    served = () => Promise.reject(new Error('down'));
    clock.ms += 59 * 60_000;
    await expect(keyFor('first')).resolves.toBeDefined();
    clock.ms += 2 * 60_000;
    await expect(keyFor('first')).rejects.toMatchObject({ code: 'NOT_READY' });
    expect(lines.map(({ message }) => message)).toContain('key set not loaded');
  });

  test('rejects a response that is not a key set', async () => {
    served = async () => ({ nothing: true }) as unknown as JSONWebKeySet;
    await expect(keyFor('first')).rejects.toMatchObject({ code: 'NOT_READY' });
    clock.ms += 30_000;
    served = async () => ({ keys: Array.from({ length: 101 }, () => first) });
    await expect(keyFor('first')).rejects.toMatchObject({ code: 'NOT_READY' });
  });

  test('uses a set of 100 keys; refuses one of 101 and logs the reason', async () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_each, i) => ({ ...second, kid: `k${i}` }));
    served = async () => ({ keys: [...others(100), first] });
    await expect(keyFor('first')).rejects.toMatchObject({ code: 'NOT_READY' });
    expect(lines.map(({ fields }) => String(fields['err']))).toEqual(['Error: more than 100 keys']);
    clock.ms += 30_000;
    served = async () => ({ keys: [...others(99), first] });
    await expect(keyFor('first')).resolves.toBeDefined();
  });

  test('a source that is cheap to load is loaded again as soon as its set is no longer fresh', async () => {
    const load = async () => {
      loads += 1;
      return served();
    };
    keys = new JwksKeys({ load, freshMs: 500, clock: clock.now, log: keepingLog(lines) });
    await keyFor('first');
    clock.ms += 500;
    await keyFor('first');
    expect(loads).toBe(1);
    served = () => Promise.reject(new Error('half written'));
    for (const expected of [2, 3]) {
      clock.ms += 501;
      await keyFor('first');
      expect(loads).toBe(expected);
    }
    expect(lines.length).toBe(1);
    served = async () => ({ keys: [second] });
    clock.ms += 501;
    await expect(keyFor('second')).resolves.toBeDefined();
  });

  test('the set in use is the same until another one is loaded', async () => {
    const set = { keys: [first] };
    served = async () => set;
    const used = await keys.current();
    clock.ms += 11 * 60_000;
    expect(await keys.current()).toBe(used);
    expect(loads).toBe(2);
    served = async () => ({ keys: [first] });
    clock.ms += 11 * 60_000;
    expect(await keys.current()).not.toBe(used);
    served = () => Promise.reject(new Error('down'));
    clock.ms += 61 * 60_000;
    expect(await keys.current()).toBeUndefined();
  });

  test('a symmetric key in the set is never used', async () => {
    served = async () => ({ keys: [{ kty: 'oct', k: 'AAAA', kid: 'first', alg: 'HS256' }] });
    await expect(keys.keyFor({ alg: 'HS256', kid: 'first' }, jws)).rejects.toMatchObject({
      code: 'ERR_JOSE_NOT_SUPPORTED',
    });
  });
});
