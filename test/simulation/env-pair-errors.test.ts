/**
 * What the six methods of a pair throw. workerd's test client loses the messages of errors, so they are tested here.
 */
import { expect, test } from 'vitest';
import { comparisonIdOf, pairKeyOf } from '../../src/compare/index.js';
import { envPairOf } from '../../src/runtimes/cloudflare/compare/env-pair-rpc.js';
import type { EdgeEnv } from '../../src/runtimes/cloudflare/edge-env.js';
import { makeEnvelope } from '../support/make-envelope.js';
import { simulateEdge } from './simulate-edge.js';

const LEFT = 'https://left.sonde-example.com/';
const RIGHT = 'https://right.sonde-example.com/';
const simulation = simulateEdge();

test('the methods throw plain errors with a code and a message', async () => {
  const { world } = simulation;
  const pairKey = pairKeyOf({ tenantId: 'default', leftUrl: LEFT, rightUrl: RIGHT });
  const pair = envPairOf(world.env as unknown as EdgeEnv, pairKey);
  const thrown = (work: Promise<unknown>) =>
    world.run(
      work.then(
        () => 'nothing',
        (error: Error) => [error.constructor, error.message],
      ),
    );
  expect(await thrown(pair.createComparison(LEFT, `${RIGHT}other`))).toEqual([
    Error,
    'INVALID_REQUEST: the comparison belongs to a different pair',
  ]);
  expect(await thrown(pair.createComparison(LEFT, `${RIGHT}?token=abcdef1234567890`))).toEqual([
    Error,
    expect.stringMatching(/^INVALID_REQUEST: a URL appears to contain a credential/),
  ]);
  const nobody = comparisonIdOf(pairKey, crypto.randomUUID());
  expect(await thrown(pair.saveProbe(nobody, 'left', makeEnvelope('left', { url: LEFT }, 1)))).toEqual([
    Error,
    `NOT_FOUND: there is no comparison ${nobody}`,
  ]);
});
