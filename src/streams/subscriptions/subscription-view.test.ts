import { expect, test } from 'vitest';
import { FIRST_STATE } from './decide-wake.js';
import type { SubscriptionLink, SubscriptionRecord } from './subscription-store.js';
import { callbackUrlOf, streamView, viewOf } from './subscription-view.js';

const record: SubscriptionRecord = {
  tenant: 'acme',
  id: 'a b',
  mode: 'webhook',
  pattern: null,
  webhookSealed: null,
  wakeStream: null,
  leaseMs: 1_000,
  description: null,
  createdAt: 0,
  nonce: 'n',
  baseUrl: 'http://sonde.test',
  configHash: 'h',
  wake: FIRST_STATE,
};

const signer = {
  publicJwk: { kty: 'OKP', crv: 'Ed25519', x: '', kid: 'ds_test', use: 'sig', alg: 'EdDSA' },
  sign: async () => new Uint8Array(64),
} as const;

const link: SubscriptionLink = {
  path: 'a',
  explicit: true,
  stream: { hash: 'abcde', tail: { chunk: 1, position: 9 } },
  acked: { chunk: 0, position: 7 },
  pending: true,
};

const view = (more: Partial<SubscriptionRecord> = {}, input: object = {}, publicUrl?: string) =>
  viewOf(
    { signer, publicUrl },
    { ...record, ...more },
    {
      links: [],
      webhookUrl: null,
      linking: undefined,
      ...input,
    },
  );

test('shows only the fields that a subscription has', () => {
  const least = {
    id: 'a b',
    subscription_id: 'a b',
    type: 'webhook',
    streams: [],
    lease_ttl_ms: 1_000,
    created_at: '1970-01-01T00:00:00.000Z',
    status: 'active',
  };
  expect(view()).toEqual(least);
  expect(view({ pattern: 'a/*' })).toEqual({ ...least, pattern: 'a/*' });
  expect(view({ wakeStream: 'w' })).toEqual({ ...least, wake_stream: 'w' });
  expect(view({ description: '' })).toEqual({ ...least, description: '' });
  expect(view({ wake: { ...FIRST_STATE, failing: true } })).toEqual({ ...least, status: 'failed' });
  const linking = { linked: 1, total: 2 };
  expect(view({}, { linking })).toEqual({ ...least, linking });
  expect(view({}, { links: [link] })).toEqual({
    ...least,
    streams: [{ path: 'a', link_type: 'explicit', acked_offset: 'abcde:00000000:0000000007' }],
  });
});

test('shows the receiver and its key, and null for a URL that cannot be opened', () => {
  const jwks_url = 'http://sonde.test/v1/stream/__ds/jwks.json';
  const signing = { alg: 'ed25519', kid: 'ds_test', jwks_url };
  const sealed = { webhookSealed: 'sealed' };
  const url = 'https://example.com/hook';
  expect(view(sealed, { webhookUrl: url })).toMatchObject({ webhook: { url, signing } });
  expect(view(sealed)).toMatchObject({ webhook: { url: null, signing } });
});

test('URLs begin with the public URL, or with the URL of the create', () => {
  const path = '/v1/stream/__ds/subscriptions/a%20b/callback';
  expect(callbackUrlOf({ publicUrl: undefined }, record)).toBe(`http://sonde.test${path}`);
  expect(callbackUrlOf({ publicUrl: 'https://public.test/' }, record)).toBe(`https://public.test${path}`);
  expect(view({ webhookSealed: 'sealed' }, {}, 'https://public.test')).toMatchObject({
    webhook: { signing: { jwks_url: 'https://public.test/v1/stream/__ds/jwks.json' } },
  });
});

test.each<[string, Partial<SubscriptionLink>, object]>([
  [
    'a stream that is followed by name',
    {},
    {
      path: 'a',
      link_type: 'explicit',
      acked_offset: 'abcde:00000000:0000000007',
      tail_offset: 'abcde:00000001:0000000009',
      has_pending: true,
    },
  ],
  ['a stream that a pattern matches', { explicit: false }, { link_type: 'glob' }],
  ['a stream of which nothing is acknowledged', { acked: null }, { acked_offset: '-1' }],
  ['a stream that does not exist', { stream: null }, { acked_offset: '-1', tail_offset: '-1' }],
  ['a stream without news', { pending: false }, { has_pending: false }],
])('the offsets of %s', (_name, more, expected) => {
  expect(streamView({ ...link, ...more })).toMatchObject(expected);
});
