/** The OpenAPI schemas of an audit's report and of the difference between two reports. */
import '@hono/zod-openapi';
import * as z from 'zod';
import { type AuditReport, CATEGORIES, type diffReports, GATE_IDS } from '../../audits/index.js';
import { exactOptional as opt } from '../../exact-optional.js';
import { schemaOf } from './schema-of.js';

type RuleResult = AuditReport['rules'][number];

const Category = z.enum(CATEGORIES);

const Place = z.object({ url: z.string(), line: opt(z.int()) });

const IssueView = schemaOf<RuleResult['issues'][number]>()(
  z.object({
    level: z.enum(['warn', 'fail']),
    url: z.string(),
    element: opt(z.string().describe('The markup, header, file or directive that the finding is about.')),
    line: opt(z.int()),
    observed: z.string(),
    expected: z.string(),
    related: opt(z.array(z.string()).describe('Other URLs of the same finding.')),
    also: opt(z.array(Place).describe('Other places with the same finding.')),
  }),
).openapi('AuditIssue');

const RuleResultView = schemaOf<RuleResult>()(
  z.object({
    id: z.string(),
    title: z.string(),
    category: Category,
    severity: z.enum(['error', 'warn', 'info']),
    scope: z.enum(['page', 'site']),
    weight: z.number(),
    status: z.enum(['pass', 'warn', 'fail', 'not-applicable', 'not-measured', 'error', 'hidden']),
    passRatio: z.number().nullable().describe('0 to 1; null if the rule is not scored.'),
    pages: z
      .object({ applicable: z.int(), passed: z.int(), warned: z.int(), failed: z.int() })
      .nullable()
      .describe('Page rules only: results of the applicable pages.'),
    issues: z.array(IssueView),
    issueCount: z.int().describe('All findings, including those beyond the bound of `issues`.'),
    placeCount: z.int().describe('All places of all findings.'),
    reason: z.string().nullable().describe('Why it is not applicable, not measured or failed.'),
    fix: z.string(),
  }),
).openapi('AuditRuleResult');

export const AuditReportView = schemaOf<AuditReport>()(
  z.object({
    schemaVersion: z.literal(1),
    recipe: z.string().describe('Version of the rules and weights.'),
    startUrl: z.string(),
    homeUrl: z.string(),
    domain: z.string(),
    measuredAt: z.string(),
    score: z.number().nullable().describe('Null if nothing of the site could be read.'),
    grade: z.enum(['A', 'B', 'C', 'D', 'F']).nullable(),
    reading: opt(
      z
        .object({
          read: z.int(),
          blocked: z.int().describe('Not requested, because robots.txt disallows it.'),
          refused: z.int().describe('Responded with 401, 403, 407, 429 or 451.'),
          failed: z.int().describe('No response, or another error.'),
          note: opt(z.string().describe('Why most of the site could not be read, and what to do.')),
        })
        .describe('How many pages could be read. Absent from reports of older versions.'),
    ),
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
        category: Category,
        title: opt(z.string().describe('Absent from reports of older versions.')),
        score: z.number().nullable(),
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
    rules: z.array(RuleResultView),
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
          gone: z
            .array(
              z.object({
                rule: z.string(),
                element: opt(z.string()),
                observed: z.string(),
                paths: z.array(z.string()),
              }),
            )
            .describe('Entries of the baseline that no longer occur.'),
        })
        .describe('Findings removed from `rules` by ignore rules and a baseline.'),
    ),
  }),
).openapi('AuditReport');

const Issues = z.array(IssueView.extend({ rule: z.string() }).openapi('AuditDiffIssue'));

export const AuditDiffView = schemaOf<ReturnType<typeof diffReports>>()(
  z.object({
    scoreBefore: z.number().nullable(),
    scoreAfter: z.number().nullable(),
    new: Issues,
    fixed: Issues,
    stillThere: Issues,
    notSeen: Issues.describe('Not checked by the later audit, so neither fixed nor present.'),
    incomplete: z.array(z.string()).describe('Rules with more findings than a report keeps.'),
  }),
).openapi('AuditDiff');
