import { expect, test } from 'vitest';
import { SondeError } from '../errors.js';
import { TenantShare } from './tenant-share.js';

/** A limit of two, or the operator's own; `receiving` responses are already being received. */
function open({ own, receiving = 0, full }: { own?: number; receiving?: number; full?: SondeError } = {}) {
  return new TenantShare({
    pumps: { countOf: (tenant) => (tenant === 'acme' ? receiving : 0) },
    streams: { whyFull: async () => full },
    limits: async () => (own === undefined ? {} : { proxyStreams: own }),
    fallback: 2,
  });
}

const take = async (share: TenantShare, tenant = 'acme') => {
  const taken = await share.take(tenant);
  return 'refusal' in taken ? taken.refusal.code : taken.release;
};

test('an opening request counts until it is released', async () => {
  const share = open();
  const first = await take(share);
  expect(await take(share)).toBeTypeOf('function');
  const refused = await share.take('acme');
  expect(refused).toMatchObject({
    refusal: {
      code: 'TOO_MANY_STREAMS',
      message: expect.stringContaining('limit of 2 upstream responses in progress (quota proxyStreams'),
      details: { max: 2, retryAfterSeconds: 1 },
    },
  });
  if (typeof first === 'function') first();
  expect(await take(share)).toBeTypeOf('function');
  expect(await take(share)).toBe('TOO_MANY_STREAMS');
});

test('responses being received count, but only those of the tenant', async () => {
  const share = open({ receiving: 1 });
  expect(await take(share)).toBeTypeOf('function');
  expect(await take(share)).toBe('TOO_MANY_STREAMS');
  expect(await take(share, 'globex')).toBeTypeOf('function');
  expect(await take(share, 'globex')).toBeTypeOf('function');
});

test("an operator's limit replaces the default, even if it is zero", async () => {
  expect(await take(open({ own: 0 }))).toBe('TOO_MANY_STREAMS');
  const share = open({ own: 3, receiving: 2 });
  expect(await take(share)).toBeTypeOf('function');
  expect(await take(share)).toBe('TOO_MANY_STREAMS');
});

test('a tenant with full storage is refused without taking a slot', async () => {
  const full = new SondeError('QUOTA_EXCEEDED', 'full');
  const share = open({ full });
  for (let n = 0; n < 3; n++) expect(await take(share)).toBe('QUOTA_EXCEEDED');
});
