/** Workflow instances that the platform queues or refuses. */
import { expect, test } from 'vitest';
import { CREATED_PER_SECOND } from '../../src/runtimes/cloudflare/workflows/creation-pace.js';
import { create, simulateEdge, untilDone } from './simulate-edge.js';

const simulation = simulateEdge();

const compare = (name: string) =>
  create(simulation.world, '/api/compare', {
    leftUrl: 'https://staging.sonde-example.com/',
    rightUrl: `https://www.sonde-example.com/${name}`,
    samples: 1,
  });

const stateOf = async (path: string) => (await simulation.world.request(path)).json();

test('an instance that the platform queues for twenty minutes is left alone, and then runs', async () => {
  const { world } = simulation;
  world.compareWorkflow.holdBack();
  const path = await compare('');
  await world.pass(1_200_000);
  expect(await stateOf(path)).toMatchObject({ status: 'running' });
  expect(world.compareWorkflow.interventions).toBe(0);
  world.compareWorkflow.release();
  await untilDone(world);
  expect(await stateOf(path)).toMatchObject({ status: 'completed' });
  const { jobs } = (await stateOf('/api/jobs')) as { jobs: unknown[] };
  expect(jobs).toMatchObject([{ status: 'done', attempt: 1 }]);
});

test('an instance that is still queued after half an hour is restarted once', async () => {
  const { world } = simulation;
  world.compareWorkflow.holdBack();
  const path = await compare('');
  await world.pass(1_800_000);
  expect(world.compareWorkflow.interventions).toBe(0);
  await world.pass(300_000);
  expect(world.compareWorkflow.interventions).toBe(1);
  await untilDone(world);
  expect(await stateOf(path)).toMatchObject({ status: 'completed' });
  const { jobs } = (await stateOf('/api/jobs')) as { jobs: unknown[] };
  expect(jobs).toMatchObject([{ status: 'done', attempt: 1 }]);
});

test('a job whose instance cannot be created is requeued, and the attempt does not count', async () => {
  const { world } = simulation;
  world.compareWorkflow.refusals = 5;
  const path = await compare('');
  await world.pass(120_000);
  await untilDone(world);
  expect(await stateOf(path)).toMatchObject({ status: 'completed' });
  const { jobs } = (await stateOf('/api/jobs')) as { jobs: unknown[] };
  expect(jobs).toMatchObject([{ status: 'done', attempt: 1 }]);
});

test('instances are created in batches, no faster than the platform accepts them, and not kept for long', async () => {
  const { world } = simulation;
  world.compareWorkflow.holdBack();
  await Promise.all(Array.from({ length: 60 }, (_each, number) => compare(`?${number}`)));
  await world.pass(60_000);
  const { batches } = world.compareWorkflow;
  expect(batches.reduce((sum, { size }) => sum + size, 0)).toBe(60);
  for (const { at } of batches) {
    const within = batches.filter((other) => other.at >= at && other.at < at + 1_000);
    expect(within.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(2 * CREATED_PER_SECOND);
  }
  expect(batches.length).toBeLessThan(60);
  expect(batches.every(({ retained }) => retained)).toBe(true);
});
