// Writes docs/audit-rules/ from the rules themselves: an index and a page a category. `--check` writes nothing
// and fails where a file differs, which a test runs.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs', 'audit-rules');

/** @typedef {import('../src/audits/rule.js').Rule} Rule */

/** @returns {Promise<{ RULES: readonly Rule[], CATEGORY_NAMES: Record<string, string> }>} */
async function loadRules() {
  const entry = `export { RULES } from './src/audits/rules/index.ts'; export { CATEGORY_NAMES } from './src/audits/report/report-words.ts';`;
  const outfile = join(root, 'dist', 'rule-docs.mjs');
  await build({
    stdin: { contents: entry, resolveDir: root, loader: 'ts' },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' },
  });
  try {
    return await import(`${outfile}?${Date.now()}`);
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** @param {Rule} rule */
function ruleSection(rule) {
  const reads = Object.entries(rule.inputs).flatMap(([of, keys]) => keys.map((key) => `\`${of}.${key}\``));
  const about = rule.scope === 'page' ? `each page (${rule.on})` : 'the site';
  const levels = rule.levels === 2 ? 'warns, then fails; a warning counts half' : 'fails';
  return `## \`${rule.id}\`

${rule.title}.

| severity | weight | judges | levels |
|---|---|---|---|
| ${rule.severity} | ${rule.weight} | ${about} | ${levels} |

${rule.why}

**Fix.** ${rule.fix}

Reads ${reads.length > 0 ? reads.join(', ') : 'nothing but the URL'}.
`;
}

/** @returns {Promise<Map<string, string>>} */
async function documents() {
  const { RULES, CATEGORY_NAMES } = await loadRules();
  const files = new Map();
  const categories = Object.keys(CATEGORY_NAMES);
  const rows = RULES.map(
    (rule) =>
      `| [\`${rule.id}\`](${rule.category}.md#${rule.id.replaceAll('.', '')}) | ${rule.title} | ${rule.scope} | ${rule.severity} | ${rule.weight} |`,
  );
  files.set(
    'README.md',
    `# Audit rules\n\nWritten by \`node scripts/write-rule-docs.mjs\` from the rules themselves; do not edit.\n\n${RULES.length} rules. A rule is a pure function of recorded facts. Its pass ratio is the passing share of the pages\nit applies to, or 0 or 1 for the site; a warning counts half. Rules that are not applicable or not measured are listed and\nnever scored. The score is the weighted mean of the pass ratios × 100, half up, then capped: at 40 where the home page is not\n200, asks not to be indexed or is blocked by robots.txt; at 50 where the site answers with a server error or TLS fails.\nA from 90, B from 80, C from 70, D from 60, else F.\n\n| rule | holds when it passes | scope | severity | weight |\n|---|---|---|---|---:|\n${rows.join('\n')}\n`,
  );
  for (const category of categories) {
    const own = RULES.filter((rule) => rule.category === category);
    files.set(`${category}.md`, `# ${CATEGORY_NAMES[category]}\n\n${own.map(ruleSection).join('\n')}`);
  }
  return files;
}

const files = await documents();
if (process.argv.includes('--check')) {
  const present = readdirSync(folder).sort();
  const differing = [...files].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
  );
  const extra = present.filter((name) => !files.has(name));
  for (const [name] of differing) console.error(`docs/audit-rules/${name} is not what the rules say`);
  for (const name of extra) console.error(`docs/audit-rules/${name} belongs to no category`);
  process.exitCode = differing.length + extra.length === 0 ? 0 : 1;
} else {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
}
