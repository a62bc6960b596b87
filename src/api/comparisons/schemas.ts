import * as z from 'zod';
import { findingCodeSchema, severitySchema } from '../../compare/finding.js';
import { COMPARISON_LIMITS, SUITE_LIMITS } from '../../compare/index.js';
import type { Schemas } from '../../kernel/operation.js';
import { ComparisonView } from '../views/comparison.js';
import { idParam, jsonResponse, limitParam } from '../views/operation.js';
import { SuitePage, SuiteView } from '../views/suite.js';
import { time } from '../views/time.js';

const tag = 'Comparisons';
const pair = idParam('pairKey', 64);
const comparison = idParam('comparisonId', 100);
const suite = idParam('suiteId', 100);
const deleted = { 204: { description: 'Deleted.' } };

const day = z.iso.date();
export const BaselineEntry = z
  .object({
    entryId: z.string().describe('`valueFingerprint` of the finding.'),
    code: findingCodeSchema,
    severity: severitySchema.describe('A worse finding counts again.'),
    path: z.string(),
    message: z.string(),
    reason: z.string().optional(),
    expires: day.optional().describe('The last day on which the entry counts.'),
    comparisonId: z.string().describe('The comparison that it was accepted from.'),
    acceptedAt: time,
  })
  .meta({ id: 'BaselineEntry' });
const Baseline = z.object({ entries: z.array(BaselineEntry) }).meta({ id: 'Baseline' });

export const AcceptRequest = z
  .strictObject({
    comparisonId: z.string().min(1).max(100),
    findings: z
      .union([z.literal('all'), z.array(z.string().min(1).max(1000)).min(1).max(COMPARISON_LIMITS.accepted)])
      .describe('Ids of findings of the comparison, or `all` for those that count for its verdict.'),
    reason: z.string().min(1).max(2000).optional(),
    expires: day.optional(),
  })
  .meta({ id: 'AcceptRequest' });

export const getBaseline = {
  tag,
  summary: 'List accepted findings of a pair',
  params: pair,
  replies: { 200: jsonResponse('The baseline.', Baseline) },
} satisfies Schemas;

export const acceptFindings = {
  tag,
  summary: 'Accept findings into the baseline of a pair',
  description: 'Accepting a finding again replaces its entry.',
  params: pair,
  json: AcceptRequest,
  replies: { 200: jsonResponse('The entries of this request.', Baseline) },
} satisfies Schemas;

export const removeBaselineEntry = {
  tag,
  summary: 'Remove an entry from the baseline of a pair',
  description: 'The finding counts again in later comparisons.',
  params: pair.extend(idParam('entryId', 64).shape),
  replies: { 204: { description: 'Removed.' } },
} satisfies Schemas;

export const getComparison = {
  tag,
  summary: 'Get a comparison and its result',
  params: comparison,
  replies: { 200: jsonResponse('The comparison.', ComparisonView) },
} satisfies Schemas;

export const getSuite = {
  tag,
  summary: 'Get a suite with one page of its paths',
  params: suite,
  query: z.object({
    after: z.coerce.number().int().min(-1).default(-1).describe('`n` of the last path of the previous page.'),
    limit: limitParam(SUITE_LIMITS.pathsPerPage, SUITE_LIMITS.pathsPerPage),
  }),
  replies: { 200: jsonResponse('The suite.', SuitePage) },
} satisfies Schemas;

export const cancelComparison = {
  tag,
  summary: 'Cancel a comparison',
  description: 'A comparison of a suite is canceled with its suite.',
  params: comparison,
  replies: { 200: jsonResponse('The comparison.', ComparisonView) },
} satisfies Schemas;

export const cancelSuite = {
  tag,
  summary: 'Cancel a suite and the comparisons that it runs',
  params: suite,
  replies: { 200: jsonResponse('The suite.', SuiteView) },
} satisfies Schemas;

export const deleteComparison = {
  tag,
  summary: 'Delete a comparison that has ended',
  description: 'Its probes, job and events are deleted too; findings accepted from it stay in the baseline.',
  params: comparison,
  replies: deleted,
} satisfies Schemas;

export const deletePair = {
  tag,
  summary: 'Delete a pair with its comparisons and its baseline',
  description: 'Refused while a comparison of the pair is running.',
  params: pair,
  replies: deleted,
} satisfies Schemas;

export const deleteSuite = {
  tag,
  summary: 'Delete a suite that has ended, with the comparisons of its paths',
  params: suite,
  replies: deleted,
} satisfies Schemas;
