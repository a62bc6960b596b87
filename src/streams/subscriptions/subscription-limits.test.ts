import { expect, test } from 'vitest';
import { DEFAULT_SUBSCRIPTION_LIMITS } from './subscription-limits.js';

test('the default limits are those that operators rely on', () => {
  expect(DEFAULT_SUBSCRIPTION_LIMITS).toEqual({
    perTenant: 1_000,
    indexEntries: 200_000,
    links: 10_000,
    linksAtOnce: 1_000,
    streamsPerRequest: 1_000,
    streamsPerWake: 1_000,
    deliveries: 32,
    deliveriesPerTenant: 8,
  });
});
