/** The request fields that comparisons and suites share: validates them and encrypts their secrets. */
import * as z from 'zod';
import { erasedFields, readIgnoreRules, SAMPLES_MAX } from '../../compare/index.js';
import { SondeError } from '../../errors.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { cleanRequestHeaders, type HeaderList, refusalError } from '../../net/index.js';
import type { AppComparisons } from '../comparisons.js';
import type { AppRecords } from '../records.js';

/** Errors that the start of a comparison or suite can return. */
export const SIDES_ERRORS = ['invalid_url', 'ssrf_blocked', 'too_many_running'] as const;

const HEADERS_MAX = 50;
const IGNORE_MAX = 100;

const SideUrl = z.string().min(1).max(8192);
const Label = z.string().min(1).max(100).optional();
const SideHeaders = z.record(z.string().min(1).max(256), z.string().max(8192)).optional();

export const CompareFields = {
  leftUrl: SideUrl.describe('The candidate: the environment that is about to ship, such as staging.'),
  rightUrl: SideUrl.describe('The reference to compare it with, such as production.'),
  candidate: z
    .enum(['left', 'right'])
    .optional()
    .describe(
      'Which side is the candidate; left by default. Improvements on the candidate are never more than info.',
    ),
  leftLabel: Label,
  rightLabel: Label,
  leftHeaders: SideHeaders.describe(
    'Headers for the left side only. Encrypted while the comparison runs, then erased.',
  ),
  rightHeaders: SideHeaders.describe('Headers for the right side only.'),
  samples: z
    .int()
    .min(1)
    .max(SAMPLES_MAX)
    .optional()
    .describe('Probes per side. What varies on both sides counts as noise.'),
  confirmSamples: z
    .int()
    .min(1)
    .max(SAMPLES_MAX)
    .optional()
    .describe(
      'If only one side varies from request to request, more samples are taken, up to this number per side.',
    ),
  profile: z.enum(['core', 'full']).optional(),
  ignore: z
    .array(z.string().min(1).max(500))
    .max(IGNORE_MAX)
    .optional()
    .describe('Rules for findings to suppress.'),
};

export type SidesRequest = Pick<
  z.output<z.ZodObject<typeof CompareFields>>,
  'leftUrl' | 'rightUrl' | 'leftHeaders' | 'rightHeaders' | 'ignore'
>;

/** Refuses invalid input. Returns the sealed request of each side, and the fields that are erased when the run ends. */
export async function readSides(
  records: AppRecords,
  comparisons: AppComparisons,
  { leftUrl, rightUrl, leftHeaders, rightHeaders, ignore }: SidesRequest,
) {
  refuseSide(records, 'leftUrl', leftUrl);
  refuseSide(records, 'rightUrl', rightUrl);
  if (ignore) readIgnoreRules(ignore);
  const left = { url: leftUrl, headers: readHeaders('leftHeaders', leftHeaders) };
  const right = { url: rightUrl, headers: readHeaders('rightHeaders', rightHeaders) };
  return {
    sealed: { left: await sealSide(comparisons, left), right: await sealSide(comparisons, right) },
    // The fields are named as they were given.
    erased: erasedFields(
      {
        left: { url: leftUrl, headers: Object.entries(leftHeaders ?? {}) },
        right: { url: rightUrl, headers: Object.entries(rightHeaders ?? {}) },
      },
      comparisons.redactUrl,
    ),
  };
}

function refuseSide({ refusal }: AppRecords, field: string, url: string): void {
  const refused = refusal(url);
  if (!refused) return;
  const { code, message, details } = refusalError(refused);
  throw new SondeError(code, `body.${field}: ${message}`, {
    details: { ...details, field: `body.${field}` },
  });
}

function readHeaders(field: string, given: Readonly<Record<string, string>> = {}): HeaderList {
  const pairs = Object.entries(given);
  if (pairs.length > HEADERS_MAX) {
    throw invalidField(`body.${field}`, `body.${field} can have at most ${HEADERS_MAX} headers.`);
  }
  return cleanRequestHeaders(pairs);
}

/** Null if the URL contains no credential and there are no headers. */
async function sealSide(
  { seal, redactUrl }: AppComparisons,
  { url, headers }: { readonly url: string; readonly headers: HeaderList },
): Promise<Uint8Array | null> {
  return headers.length === 0 && redactUrl(url) === url ? null : seal({ url, headers });
}
