import { expect, test } from 'vitest';
import { SondeError } from '../errors.js';
import { TenantShare } from './tenant-share.js';

/** A share of two, or of what the operator has set; `coming` responses are coming in already. */
function open({ own, coming = 0, full }: { own?: number; coming?: number; full?: SondeError } = {}) {
  return new TenantShare({
    pumps: { countOf: (tenant) => (tenant === 'acme' ? coming : 0) },
    streams: { whyFull: async () => full },
    limits: async () => (own === undefined ? {} : { proxyStreams: own }),
    fallback: 2,
  });
}

const take = async (share: TenantShare, tenant = 'acme') => {
  const taken = await share.take(tenant);
  return 'refusal' in taken ? taken.refusal.code : taken.release;
};

test('requests being opened count until they are released, once each', async () => {
  const share = open();
  const first = await take(share);
  expect(await take(share)).toBeTypeOf('function');
  const refused = await share.take('acme');
  expect(refused).toMatchObject({
    refusal: {
      code: 'TOO_MANY_STREAMS',
      message: 'The tenant has reached its limit of 2 upstream responses in progress.',
      details: { max: 2, retryAfterSeconds: 1 },
    },
  });
  if (typeof first === 'function') first();
  expect(await take(share)).toBeTypeOf('function');
  expect(await take(share)).toBe('TOO_MANY_STREAMS');
});

test('responses that are coming in count too, and only those of the tenant', async () => {
  const share = open({ coming: 1 });
  expect(await take(share)).toBeTypeOf('function');
  expect(await take(share)).toBe('TOO_MANY_STREAMS');
  expect(await take(share, 'globex')).toBeTypeOf('function');
  expect(await take(share, 'globex')).toBeTypeOf('function');
});

test("an operator's limit stands in place of the default, also one of nothing", async () => {
  expect(await take(open({ own: 0 }))).toBe('TOO_MANY_STREAMS');
  const share = open({ own: 3, coming: 2 });
  expect(await take(share)).toBeTypeOf('function');
  expect(await take(share)).toBe('TOO_MANY_STREAMS');
});

test('a tenant whose storage is full is refused for that, and takes no place', async () => {
  const full = new SondeError('QUOTA_EXCEEDED', 'full');
  const share = open({ full });
  for (let n = 0; n < 3; n++) expect(await take(share)).toBe('QUOTA_EXCEEDED');
});
