import { idIn, type Part, type Target, type World } from './part.js';
import type { Received } from './send.js';

const sides = ({ site }: World) => ({
  leftUrl: `${site}/a`,
  rightUrl: `${site}/b`,
  samples: 1,
  profile: 'core',
});

/** Few comparisons may be unfinished at once. */
const cancel = (at: string, name: string) => (created: Received) => ({
  method: 'POST',
  path: `${at}/${encodeURIComponent(idIn(created, name))}/cancel`,
});

async function newComparison(world: World): Promise<string> {
  return encodeURIComponent(
    idIn(await world.ask('POST', '/api/compare', { json: sides(world) }), 'comparisonId'),
  );
}

async function canceledComparison(world: World): Promise<string> {
  const id = await newComparison(world);
  await world.ask('POST', `/api/compare/${id}/cancel`);
  return id;
}

async function pairOf(world: World): Promise<string> {
  return decodeURIComponent(await canceledComparison(world)).split(':')[0] ?? '';
}

async function newSuite(world: World): Promise<string> {
  const json = { ...sides(world), paths: ['/a'] };
  return idIn(await world.ask('POST', '/api/suites', { json }), 'suiteId');
}

async function canceledSuite(world: World): Promise<string> {
  const id = await newSuite(world);
  await world.ask('POST', `/api/suites/${id}/cancel`);
  return id;
}

async function baseline(world: World): Promise<Target> {
  const id = decodeURIComponent(await canceledComparison(world));
  return { path: `/api/pairs/${id.split(':')[0]}/baseline`, json: { comparisonId: id, findings: 'all' } };
}

export const COMPARISONS: Part = {
  name: 'comparisons',
  rows: {
    probe: ({ site }) => ({ path: `/api/probe?url=${encodeURIComponent(`${site}/page`)}` }),
    createComparison: (world) => ({
      path: '/api/compare',
      json: sides(world),
      undo: cancel('/api/compare', 'comparisonId'),
    }),
    repeatComparison: async (world) => ({
      path: `/api/compare/${await canceledComparison(world)}/again`,
      undo: cancel('/api/compare', 'comparisonId'),
    }),
    getComparison: async (world) => ({ path: `/api/compare/${await canceledComparison(world)}` }),
    getComparisonProbes: async (world) => ({
      path: `/api/compare/${await canceledComparison(world)}/probes`,
    }),
    getComparisonEvents: async (world) => ({
      path: `/api/compare/${await canceledComparison(world)}/events`,
    }),
    cancelComparison: async (world) => ({ path: `/api/compare/${await newComparison(world)}/cancel` }),
    deleteComparison: async (world) => ({ path: `/api/compare/${await canceledComparison(world)}` }),
    listPairs: () => ({ path: '/api/pairs' }),
    listComparisons: async (world) => ({ path: `/api/pairs/${await pairOf(world)}/comparisons` }),
    deletePair: async (world) => ({ path: `/api/pairs/${await pairOf(world)}` }),
    getBaseline: async (world) => ({ path: `/api/pairs/${await pairOf(world)}/baseline` }),
    acceptFindings: baseline,
    removeBaselineEntry: async (world) => ({
      path: `/api/pairs/${await pairOf(world)}/baseline/${'0'.repeat(32)}`,
    }),
    listSuites: () => ({ path: '/api/suites' }),
    createSuite: (world) => ({
      path: '/api/suites',
      json: { ...sides(world), paths: ['/a'] },
      undo: cancel('/api/suites', 'suiteId'),
    }),
    getSuite: async (world) => ({ path: `/api/suites/${await canceledSuite(world)}` }),
    getSuiteEvents: async (world) => ({ path: `/api/suites/${await canceledSuite(world)}/events` }),
    cancelSuite: async (world) => ({ path: `/api/suites/${await newSuite(world)}/cancel` }),
    deleteSuite: async (world) => ({ path: `/api/suites/${await canceledSuite(world)}` }),
  },
};
