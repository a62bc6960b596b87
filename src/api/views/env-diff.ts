/** The OpenAPI schema of a comparison's result. */
import '@hono/zod-openapi';
import * as z from 'zod';
import {
  type EnvDiff,
  type Evidence,
  FINDING_CODES,
  type Finding,
  type FindingCategory,
  type FindingCode,
  type HeaderDiff,
} from '../../compare/index.js';
import { exactOptional as opt } from '../../exact-optional.js';
import { redirectHop } from '../../probe/index.js';
import { schemaOf } from './schema-of.js';

export const FindingCodes = z.enum(Object.keys(FINDING_CODES) as [FindingCode, ...FindingCode[]]);
const Categories = z.enum([...new Set(Object.values(FINDING_CODES))] as [
  FindingCategory,
  ...FindingCategory[],
]);
const Sides = z.enum(['left', 'right']);
export const Severities = z.enum(['info', 'warn', 'critical']);
const FindingValue = z
  .union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])
  .describe('Null means absent.');

const EvidenceView = schemaOf<Evidence>()(
  z.object({
    section: z.enum([
      'probe',
      'status',
      'finalUrl',
      'redirects',
      'headers',
      'cookies',
      'content',
      'body',
      'timing',
      'cf',
      'connection',
      'tls',
      'exchanges',
      'request',
      'routes',
    ]),
    keys: z.array(z.string()).describe('Header names, JSON pointers or cookie names in the section.'),
    left: FindingValue,
    right: FindingValue,
    note: opt(z.string()),
    noisy: opt(z.literal(true).describe('This part already differs between samples of one side.')),
    ignored: opt(z.literal(true).describe('An ignore rule covers this part.')),
  }),
).openapi('Evidence');

export const FindingView = schemaOf<Finding>()(
  z.object({
    id: z.string().describe('`CODE:section:keys`, unique within one result.'),
    code: FindingCodes,
    category: Categories,
    severity: Severities,
    direction: z.enum(['left_only', 'right_only', 'changed', 'left_weaker', 'right_weaker']),
    effect: z
      .enum(['regression', 'improvement', 'change'])
      .describe('What the difference means for the candidate.'),
    stability: z
      .enum(['stable', 'intermittent', 'noisy', 'unverified'])
      .describe(
        'Whether repeated samples confirm it: `intermittent` if the reference is steady and only some samples of the candidate are worse, `noisy` if it varies otherwise, `unverified` with one sample per side.',
      ),
    occurrence: opt(
      z
        .object({ samples: z.int(), of: z.int() })
        .describe("How many of the candidate's samples have an intermittent finding."),
    ),
    status: z.enum(['new', 'known', 'suppressed', 'resolved']),
    message: z.string(),
    left_value: FindingValue,
    right_value: FindingValue,
    evidence: z.array(EvidenceView),
    excerpt: opt(
      z
        .array(z.array(z.object({ side: opt(Sides), text: z.string() })))
        .describe('Lines of a word diff around the change. A part with a side is on that side only.'),
    ),
    recommendations: z.array(z.string()),
    fingerprint: z
      .string()
      .describe('The same kind of difference on the same route has the same fingerprint in every run.'),
    valueFingerprint: z.string().describe('Hash of the exact path and both values; baselines accept it.'),
    explainedBy: opt(z.string().describe('Id of the finding that this one follows from. It does not count.')),
    ruleVersion: z.int(),
  }),
).openapi('Finding');

const change = <T extends z.ZodType>(value: T) =>
  z.object({ left: opt(value), right: opt(value), changed: z.boolean() });
const text = change(z.string());
const number = change(z.number());

const HeaderDiffView = schemaOf<HeaderDiff>()(
  z.object({
    added: z.record(z.string(), z.string()).describe('Right side only.'),
    removed: z.record(z.string(), z.string()).describe('Left side only.'),
    changed: z.record(z.string(), z.object({ left: z.string(), right: z.string() })),
    unchanged: z.array(z.string()),
  }),
).openapi('HeaderDiff');

const SampleCounts = z.object({
  total: z.int().describe('Envelopes taken.'),
  answered: z.int().describe('Envelopes with an HTTP response.'),
});

export const EnvDiffView = schemaOf<EnvDiff>()(
  z.object({
    schemaVersion: z.literal(1),
    comparisonId: z.string(),
    leftProbeId: z.string(),
    rightProbeId: z.string(),
    candidate: Sides.describe('The side that is about to ship.'),
    labels: z.object({ left: z.string(), right: z.string() }).describe('Names of the sides in messages.'),
    origins: z
      .array(z.object({ left: z.string(), right: z.string() }))
      .describe('Pairs of origins that are treated as equal.'),
    samples: z.object({ left: SampleCounts, right: SampleCounts }),
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
        .object({ core: HeaderDiffView, accessControl: opt(HeaderDiffView), extended: opt(HeaderDiffView) })
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
    content: opt(z.object({ contentType: opt(text), contentLength: opt(number), bodyHash: opt(text) })),
    timing: opt(
      z.object({
        durationMs: number.describe("The median of each side's samples."),
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
    findings: z.array(FindingView).describe('Worst first, causes before effects, then by code and id.'),
    notices: z
      .array(
        z.object({
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
        }),
      )
      .describe('Remarks about the run, not about the environments.'),
    ruleErrors: z
      .array(z.object({ code: FindingCodes, message: z.string() }))
      .describe('Rules that failed; their findings are missing.'),
    maxSeverity: z.enum(['info', 'warn', 'critical', 'none']).describe('Only the findings that count.'),
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
    verdict: z.enum(['pass', 'warn', 'fail', 'inconclusive']),
    verdictReasons: z.array(z.string()).describe('Short sentences, the most important first.'),
  }),
).openapi('EnvDiff');
