/** The pages of docs/findings: one per code, from its rule and its example, and an index. */
import {
  computeDiff,
  FINDING_CODES,
  type Finding,
  RULES,
  type Rule,
  routeSetFinding,
} from '../../src/compare/index.js';
import { exampleSamples, RULE_EXAMPLES } from './rule-examples/index.js';

/** File name → text. */
export function findingPages(): ReadonlyMap<string, string> {
  const rules = [...RULES].sort((a, b) => (a.code < b.code ? -1 : 1));
  const pages = new Map(rules.map((rule) => [`${fileOf(rule.code)}.md`, page(rule)]));
  return pages.set('README.md', index(rules));
}

function fileOf(code: string): string {
  return code.toLowerCase().replaceAll('_', '-');
}

function index(rules: readonly Rule[]): string {
  const rows = rules.map(
    ({ code, title }) => `| [${code}](${fileOf(code)}.md) | ${FINDING_CODES[code]} | ${title} |`,
  );
  return `# Findings

Every code that a comparison can report. The candidate is the side that is about to ship, the reference what it must
not fall behind; the examples call the sides so. These pages are written from the rules by \`npm run generate\`.

| code | category | what |
|---|---|---|
${rows.join('\n')}
`;
}

function page(rule: Rule): string {
  return `# ${rule.code}

**${rule.title}.** Category \`${FINDING_CODES[rule.code]}\`.

${rule.about}

**What to do.** ${rule.recommendation}

| | |
|---|---|
| needs | ${rule.inputs.length === 0 ? 'the path lists of a suite' : rule.inputs.map((one) => `\`${one}\``).join(', ')} |
| judges the headers | ${rule.claims?.map((one) => `\`${one}\``).join(', ') ?? '—'} |
| repeated samples | ${rule.sampled ? 'reads all samples by itself' : 'what already differs within a side is marked as noise'} |
| direction | ${directionText(rule)} |
| rule version | ${rule.version} |

## Example

\`\`\`json
${JSON.stringify(shownFinding(exampleFinding(rule)), null, 2)}
\`\`\`
`;
}

function directionText({ code, bothSidesCount }: Rule): string {
  const directed = RULE_EXAMPLES[code]?.undirected !== true && bothSidesCount !== true;
  return directed
    ? 'what is worse on the candidate has full severity, what it improves is information'
    : 'either side may be the worse one, so the severity is the same both ways';
}

function exampleFinding(rule: Rule): Finding {
  const example = RULE_EXAMPLES[rule.code];
  const samples = example && exampleSamples(example);
  const candidate = example?.candidate ?? 'right';
  const found = samples
    ? computeDiff(samples.left, samples.right, { candidate, labels: labelsFor(candidate) }).findings.find(
        ({ code }) => code === rule.code,
      )
    : routeSetFinding(['/about'], ['/about', '/beta'], { labels: labelsFor('left') });
  if (!found) throw new Error(`the example of ${rule.code} does not fire`);
  return found;
}

function labelsFor(candidate: 'left' | 'right') {
  return candidate === 'left'
    ? { left: 'candidate', right: 'reference' }
    : { left: 'reference', right: 'candidate' };
}

/** Fields that are the same in every finding of the code are already shown above. */
function shownFinding({ recommendations: _, ruleVersion: __, category: ___, ...finding }: Finding) {
  return finding;
}
