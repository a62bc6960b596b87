/**
 * A finding: one typed, explained difference between two environments, with both values as evidence. The types and the
 * OpenAPI document derive from the schemas in this file.
 *
 * `severity` is how bad the difference is for the candidate, `stability` whether repeated samples confirm it,
 * `status` whether someone has accepted it, `explainedBy` whether it follows from another finding. Only a finding
 * that is new, not noisy and not explained counts for the verdict. The fingerprint identifies the same difference
 * from run to run: it holds no volatile value, no host and no time.
 */
import * as z from 'zod';
import type { DeepReadonly } from '../deep-readonly.js';
import { exactOptional as opt } from '../exact-optional.js';
import { sideSchema } from '../probe/index.js';
import { FINDING_CODES, type FindingCategory, type FindingCode } from './finding-codes.js';
import { SEVERITIES } from './severity.js';

export const findingCodeSchema = z.enum(Object.keys(FINDING_CODES) as [FindingCode, ...FindingCode[]]);
export const severitySchema = z.enum(SEVERITIES);

const categories = [...new Set(Object.values(FINDING_CODES))] as [FindingCategory, ...FindingCategory[]];

/** Null is never "not observed": a rule whose inputs were not observed does not run. */
const findingValue = z
  .union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())])
  .describe('Null means absent.');

const evidence = z
  .object({
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
    /** In code-unit order. */
    keys: z.array(z.string()).describe('Header names, JSON pointers or cookie names in the section.'),
    left: findingValue,
    right: findingValue,
    note: opt(z.string()),
    noisy: opt(z.literal(true).describe('This part already differs between samples of one side.')),
    ignored: opt(z.literal(true).describe('An ignore rule covers this part.')),
  })
  .meta({ id: 'Evidence' });

/** `intermittent` counts: the other samples of the candidate, and all of the reference, are without the difference. */
const stability = z
  .enum(['stable', 'intermittent', 'noisy', 'unverified'])
  .describe(
    'Whether repeated samples confirm it: `intermittent` if the reference is steady and only some samples of the candidate are worse, `noisy` if it varies otherwise, `unverified` with one sample per side.',
  );

export const findingSchema = z
  .object({
    id: z.string().describe('`CODE:section:keys`, unique within one result.'),
    code: findingCodeSchema,
    category: z.enum(categories),
    severity: severitySchema,
    /** Only one side has the value, both have different values, or one is worse off. */
    direction: z.enum(['left_only', 'right_only', 'changed', 'left_weaker', 'right_weaker']),
    effect: z
      .enum(['regression', 'improvement', 'change'])
      .describe('What the difference means for the candidate.'),
    stability,
    occurrence: opt(
      z
        .object({ samples: z.int(), of: z.int() })
        .describe("How many of the candidate's samples have an intermittent finding."),
    ),
    /** Set by ignore rules and the baseline; `resolved` is a baseline entry that no longer occurs. */
    status: z.enum(['new', 'known', 'suppressed', 'resolved']),
    message: z.string(),
    /** The values of the most severe piece of evidence. */
    left_value: findingValue,
    right_value: findingValue,
    evidence: z.array(evidence),
    /** Redacted and bounded. */
    excerpt: opt(
      z
        .array(z.array(z.object({ side: opt(sideSchema), text: z.string() })))
        .describe('Lines of a word diff around the change. A part with a side is on that side only.'),
    ),
    recommendations: z.array(z.string()),
    /** 32 hex digits, as the next. */
    fingerprint: z
      .string()
      .describe('The same kind of difference on the same route has the same fingerprint in every run.'),
    /** Hosts are mapped first, so a baseline matches on every environment. */
    valueFingerprint: z.string().describe('Hash of the exact path and both values; baselines accept it.'),
    explainedBy: opt(z.string().describe('Id of the finding that this one follows from. It does not count.')),
    ruleVersion: z.int(),
  })
  .meta({ id: 'Finding' });

export type Finding = DeepReadonly<z.infer<typeof findingSchema>>;
export type Direction = Finding['direction'];
export type Stability = Finding['stability'];
export type Occurrence = NonNullable<Finding['occurrence']>;
export type Effect = Finding['effect'];
export type FindingStatus = Finding['status'];
export type FindingValue = Finding['left_value'];
export type Evidence = Finding['evidence'][number];
export type EvidenceSection = Evidence['section'];
export type ExcerptLine = NonNullable<Finding['excerpt']>[number];
export type ExcerptPart = ExcerptLine[number];
