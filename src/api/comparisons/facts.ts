/** Comparisons of two environments, their baselines and suites. */
import type { Facts } from '../../kernel/operation.js';

const PAIR = '/api/pairs/{pairKey}';
const BASELINE = `${PAIR}/baseline` as const;
const COMPARISON = '/api/compare/{comparisonId}';
const SUITE = '/api/suites/{suiteId}';

const READING = {
  access: { scope: 'compare:read' },
  body: 'none',
  rate: 'everyone',
} as const satisfies Partial<Facts>;

const CHANGING = { ...READING, access: { scope: 'compare:write' } } as const satisfies Partial<Facts>;

export const getBaseline: Facts = {
  ...READING,
  id: 'getBaseline',
  method: 'GET',
  path: BASELINE,
  errors: ['STORAGE_UNAVAILABLE'],
};

export const acceptFindings: Facts = {
  ...CHANGING,
  id: 'acceptFindings',
  method: 'POST',
  path: BASELINE,
  body: 'json',
  errors: ['STORAGE_UNAVAILABLE', 'NOT_FOUND'],
};

export const removeBaselineEntry: Facts = {
  ...CHANGING,
  id: 'removeBaselineEntry',
  method: 'DELETE',
  path: `${BASELINE}/{entryId}`,
  errors: ['STORAGE_UNAVAILABLE', 'NOT_FOUND'],
};

export const getComparison: Facts = {
  ...READING,
  id: 'getComparison',
  method: 'GET',
  path: COMPARISON,
  errors: ['STORAGE_UNAVAILABLE', 'NOT_FOUND'],
};

export const getSuite: Facts = { ...getComparison, id: 'getSuite', path: SUITE };

export const cancelComparison: Facts = {
  ...CHANGING,
  id: 'cancelComparison',
  method: 'POST',
  path: `${COMPARISON}/cancel`,
  errors: ['STORAGE_UNAVAILABLE', 'NOT_FOUND', 'JOB_CONFLICT'],
};

export const cancelSuite: Facts = { ...cancelComparison, id: 'cancelSuite', path: `${SUITE}/cancel` };

export const deleteComparison: Facts = {
  ...CHANGING,
  id: 'deleteComparison',
  method: 'DELETE',
  path: COMPARISON,
  errors: ['STORAGE_UNAVAILABLE', 'NOT_FOUND', 'STILL_RUNNING'],
};

export const deletePair: Facts = { ...deleteComparison, id: 'deletePair', path: PAIR };

export const deleteSuite: Facts = { ...deleteComparison, id: 'deleteSuite', path: SUITE };
