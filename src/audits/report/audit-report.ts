/**
 * The result of an audit as one JSON value: score, gates, the result of every rule with its findings, and what the
 * crawl covered. All other formats are rendered from it. Everything in it is redacted. The types and the OpenAPI
 * document derive from the schemas in this file; rules import the types only.
 */
import * as z from 'zod';
import type { DeepReadonly } from '../../deep-readonly.js';
import { exactOptional as opt } from '../../exact-optional.js';
import { CATEGORIES } from '../rule.js';
import { GATE_IDS } from '../score/gates.js';

const category = z.enum(CATEGORIES);

const place = z.object({ url: z.string(), line: opt(z.int()) });

const issue = z
  .object({
    level: z.enum(['warn', 'fail']),
    url: z.string(),
    element: opt(z.string().describe('The markup, header, file or directive that the finding is about.')),
    line: opt(z.int()),
    observed: z.string(),
    expected: z.string(),
    /** The group of duplicates, the referrers, the hops. Bounded by the runner. */
    related: opt(z.array(z.string()).describe('Other URLs of the same finding.')),
    also: opt(z.array(place).describe('Other places with the same finding.')),
  })
  .meta({ id: 'AuditIssue' });

const ruleResult = z
  .object({
    id: z.string(),
    /** What is wrong and how often, or what holds if the rule did not fail. */
    title: z.string(),
    category,
    severity: z.enum(['error', 'warn', 'info']),
    scope: z.enum(['page', 'site']),
    weight: z.number(),
    /** `hidden`: all of its findings were ignored or accepted. */
    status: z.enum(['pass', 'warn', 'fail', 'not-applicable', 'not-measured', 'error', 'hidden']),
    passRatio: z.number().nullable().describe('0 to 1; null if the rule is not scored.'),
    pages: z
      .object({ applicable: z.int(), passed: z.int(), warned: z.int(), failed: z.int() })
      .nullable()
      .describe('Page rules only: results of the applicable pages.'),
    issues: z.array(issue),
    issueCount: z.int().describe('All findings, including those beyond the bound of `issues`.'),
    placeCount: z.int().describe('All places of all findings.'),
    /** Otherwise what it could not judge. */
    reason: z.string().nullable().describe('Why it is not applicable, not measured or failed.'),
    fix: z.string(),
  })
  .meta({ id: 'AuditRuleResult' });

const reading = z
  .object({
    read: z.int(),
    blocked: z.int().describe('Not requested, because robots.txt disallows it.'),
    refused: z.int().describe('Responded with 401, 403, 407, 429 or 451.'),
    failed: z.int().describe('No response, or another error.'),
    note: opt(z.string().describe('Why most of the site could not be read, and what to do.')),
  })
  .describe('How many pages could be read. Absent from reports of older versions.');

const accepted = z.object({
  rule: z.string(),
  element: opt(z.string()),
  observed: z.string(),
  /** Paths of the audited origin, or full URLs of other origins. */
  paths: z.array(z.string()),
});

export const auditReportSchema = z
  .object({
    schemaVersion: z.literal(1),
    recipe: z.string().describe('Version of the rules and weights.'),
    startUrl: z.string(),
    homeUrl: z.string(),
    domain: z.string(),
    measuredAt: z.string(),
    score: z.number().nullable().describe('Null if nothing of the site could be read.'),
    grade: z.enum(['A', 'B', 'C', 'D', 'F']).nullable(),
    reading: opt(reading),
    ungated: z.number().describe('The score before the gates.'),
    gates: z
      .array(
        z.object({
          id: z.enum(GATE_IDS),
          cap: z.union([z.literal(40), z.literal(50)]),
          url: z.string(),
          observed: z.string(),
        }),
      )
      .describe('Faults that cap the score.'),
    categories: z.array(
      z.object({
        category,
        title: opt(z.string().describe('Absent from reports of older versions.')),
        /** 0 to 100; null if no rule of the category was scored. */
        score: z.number().nullable(),
        /** The most that its scored rules can cost. */
        weight: z.number(),
      }),
    ),
    afterFixes: opt(
      z
        .object({ score: z.number(), rules: z.array(z.string()) })
        .nullable()
        .describe(
          'The score after fixing the costliest rules, and which. Absent from reports of older recipes.',
        ),
    ),
    counts: z
      .object({
        pages: z.int(),
        checks: z.int(),
        passed: z.int(),
        warned: z.int(),
        failed: z.int(),
        notApplicable: z.int(),
        notMeasured: z.int(),
        broken: z.int(),
        issues: z.int(),
      })
      .describe('Pages and checks, rules by result, and all findings.'),
    rules: z.array(ruleResult),
    crawl: z.object({
      userAgent: z.string(),
      pagesMax: z.int(),
      depthMax: z.int(),
      leftByPages: z.int().describe('Known URLs skipped because of the page limit.'),
      leftByDepth: z.int().describe('Known URLs skipped because of the depth limit.'),
      leftUnchecked: z.int().describe('Targets not checked because of the limit on checks.'),
    }),
    pages: z
      .array(z.object({ url: z.string(), status: z.int().nullable() }))
      .describe('Every page in crawl order. The status is null without a response.'),
    stopped: opt(
      z.string().describe('Why the audit ended early; the report covers what was done until then.'),
    ),
    hidden: opt(
      z
        .object({
          ignored: z.int(),
          accepted: z.int(),
          gone: z.array(accepted).describe('Entries of the baseline that no longer occur.'),
        })
        .describe('Findings removed from `rules` by ignore rules and a baseline.'),
    ),
  })
  .meta({ id: 'AuditReport' });

const diffIssues = z.array(issue.and(z.object({ rule: z.string() })).meta({ id: 'AuditDiffIssue' }));

export const auditDiffSchema = z
  .object({
    scoreBefore: z.number().nullable(),
    scoreAfter: z.number().nullable(),
    new: diffIssues,
    fixed: diffIssues,
    stillThere: diffIssues,
    notSeen: diffIssues.describe('Not checked by the later audit, so neither fixed nor present.'),
    incomplete: z.array(z.string()).describe('Rules with more findings than a report keeps.'),
  })
  .meta({ id: 'AuditDiff' });

export type AuditReport = DeepReadonly<z.infer<typeof auditReportSchema>>;
export type RuleResult = AuditReport['rules'][number];
export type RuleStatus = RuleResult['status'];
export type Issue = RuleResult['issues'][number];
export type Place = DeepReadonly<z.infer<typeof place>>;
export type Gate = AuditReport['gates'][number];
export type Grade = NonNullable<AuditReport['grade']>;
export type PagesRead = NonNullable<AuditReport['reading']>;
/** One finding in a baseline: what was observed, and on which paths. */
export type AcceptedFinding = DeepReadonly<z.infer<typeof accepted>>;
export type AuditDiff = DeepReadonly<z.infer<typeof auditDiffSchema>>;
