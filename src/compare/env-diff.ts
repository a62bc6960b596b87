/**
 * The result of comparing two environments: sections of plain changes for people and reports, and findings that judge
 * them. The same envelopes and options serialize to the same bytes on every engine. The types and the OpenAPI document
 * derive from the schema in this file.
 *
 * Values are shown as they were observed. Whether they differ was decided after origin mapping, so `changed` may be
 * false while left and right name different hosts.
 */
import * as z from 'zod';
import type { DeepReadonly } from '../deep-readonly.js';
import { exactOptional as opt } from '../exact-optional.js';
import { redirectHop, sideSchema } from '../probe/index.js';
import { findingCodeSchema, findingSchema } from './finding.js';
import { SEVERITIES } from './severity.js';

/** A member is missing if the side does not have the value. */
const change = <T extends z.ZodType>(value: T) =>
  z.object({ left: opt(value), right: opt(value), changed: z.boolean() });
const text = change(z.string());
const number = change(z.number());

/** Names in code-unit order. */
const headerDiff = z
  .object({
    added: z.record(z.string(), z.string()).describe('Right side only.'),
    removed: z.record(z.string(), z.string()).describe('Left side only.'),
    changed: z.record(z.string(), z.object({ left: z.string(), right: z.string() })),
    unchanged: z.array(z.string()),
  })
  .meta({ id: 'HeaderDiff' });

const sampleCounts = z.object({
  total: z.int().describe('Envelopes taken.'),
  answered: z.int().describe('Envelopes with an HTTP response.'),
});

const notice = z.object({
  code: z.enum([
    'NOISE_SUPPRESSED',
    'BODY_TRUNCATED',
    'SAMPLE_SHORTFALL',
    'SAMPLES_ADDED',
    'SUPPRESSION_EXPIRED',
    'COVERAGE_GAP',
    'EVIDENCE_TRUNCATED',
  ]),
  message: z.string(),
  keys: z.array(z.string()),
});

/**
 * `inconclusive`: the observations do not allow a judgement (neither side responded, a side blocked the probe, a side
 * responds differently from sample to sample, a rule threw). It never hides a certain failure.
 */
export const verdictSchema = z.enum(['pass', 'warn', 'fail', 'inconclusive']);

export const envDiffSchema = z
  .object({
    schemaVersion: z.literal(1),
    comparisonId: z.string(),
    leftProbeId: z.string(),
    rightProbeId: z.string(),
    candidate: sideSchema.describe('The side that is about to ship.'),
    labels: z.object({ left: z.string(), right: z.string() }).describe('Names of the sides in messages.'),
    /** The first is the pair of requested URLs. */
    origins: z
      .array(z.object({ left: z.string(), right: z.string() }))
      .describe('Pairs of origins that are treated as equal.'),
    samples: z.object({ left: sampleCounts, right: sampleCounts }),
    probe: z.object({
      leftOk: z.boolean(),
      rightOk: z.boolean(),
      leftErrorCode: opt(z.string()),
      rightErrorCode: opt(z.string()),
      outcomeChanged: z.boolean(),
      responsePresent: z.boolean().describe('Both sides sent an HTTP response.'),
    }),
    status: opt(number),
    finalUrl: opt(text),
    headers: opt(
      z
        .object({ core: headerDiff, accessControl: opt(headerDiff), extended: opt(headerDiff) })
        .describe('Absent if no header differs.'),
    ),
    redirects: opt(
      z
        .object({
          left: z.array(redirectHop),
          right: z.array(redirectHop),
          hopCount: number,
          chainChanged: z.boolean(),
        })
        .describe('Absent if neither side redirected.'),
    ),
    /** The length is that of the decoded body. */
    content: opt(z.object({ contentType: opt(text), contentLength: opt(number), bodyHash: opt(text) })),
    timing: opt(
      z.object({
        durationMs: number.describe("The median of each side's samples."),
        /** Missing when left is 0. */
        ratio: opt(z.number().describe('Right / left.')),
        deltaMs: opt(z.number()),
        samples: z.object({ left: z.int(), right: z.int() }),
        shift: opt(
          z
            .object({ estimateMs: z.number(), lowMs: z.number(), highMs: z.number() })
            .describe('Rank-sum interval of right - left, with five or more samples per side.'),
        ),
      }),
    ),
    cf: opt(
      z.object({
        colo: opt(text),
        country: opt(text),
        asn: opt(number),
        asOrganization: opt(text),
        tlsVersion: opt(text),
        httpProtocol: opt(text),
        rayColo: opt(text.describe('The data centre that responded, from `cf-ray`.')),
      }),
    ),
    coverage: z
      .object({
        compared: z.array(z.string()),
        notCompared: z.array(z.object({ part: z.string(), reason: z.string() })),
      })
      .describe('Which parts the verdict covers, and which it does not.'),
    findings: z.array(findingSchema).describe('Worst first, causes before effects, then by code and id.'),
    notices: z.array(notice).describe('Remarks about the run, not about the environments.'),
    ruleErrors: z
      .array(z.object({ code: findingCodeSchema, message: z.string() }))
      .describe('Rules that failed; their findings are missing.'),
    maxSeverity: z.enum([...SEVERITIES, 'none']).describe('Only the findings that count.'),
    counts: z
      .object({
        info: z.int(),
        warn: z.int(),
        critical: z.int(),
        noisy: z.int(),
        explained: z.int(),
        known: z.int(),
        suppressed: z.int(),
        resolved: z.int(),
      })
      .describe('Findings that count by severity, and the others by the reason they do not count.'),
    verdict: verdictSchema,
    verdictReasons: z.array(z.string()).describe('Short sentences, the most important first.'),
  })
  .meta({ id: 'EnvDiff' });

export type EnvDiff = DeepReadonly<z.infer<typeof envDiffSchema>>;
export type Verdict = EnvDiff['verdict'];
export type Change<T> = Readonly<z.infer<ReturnType<typeof change<z.ZodType<T>>>>>;
export type HeaderDiff = DeepReadonly<z.infer<typeof headerDiff>>;
export type Notice = DeepReadonly<z.infer<typeof notice>>;
export type OriginPair = EnvDiff['origins'][number];
