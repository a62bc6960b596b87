// Writes docs/audit-rules/ from the rules themselves: an index and one page per rule, which reports link to. `--check`
// writes nothing and fails if a file differs; a test runs it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs', 'audit-rules');

/** @typedef {import('../src/audits/rule.js').Rule} Rule */

/** @returns {Promise<{ RULES: readonly Rule[], CATEGORY_NAMES: Record<string, string>, failureTitle(template: string): string }>} */
async function loadRules() {
  const entry = [
    `export { RULES } from './src/audits/rules/index.ts';`,
    `export { CATEGORY_NAMES } from './src/audits/rule.ts';`,
    `export { failureTitle } from './src/audits/rule-title.ts';`,
  ].join('\n');
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

/**
 * @param {Rule} rule
 * @param {string} title
 * @param {string} category
 */
function rulePage(rule, title, category) {
  const reads = Object.entries(rule.inputs).flatMap(([of, keys]) => keys.map((key) => `\`${of}.${key}\``));
  const about = rule.scope === 'page' ? `each page (${rule.on})` : 'the site';
  const levels = rule.levels === 2 ? 'warns, then fails; a warning counts half' : 'fails';
  return `# \`${rule.id}\`: ${inCode(title)}

| category | severity | weight | judges | levels |
|---|---|---|---|---|
| ${category} | ${rule.severity} | ${rule.weight} | ${about} | ${levels} |

${inCode(rule.why)}

**Fix.** ${inCode(rule.fix)}

**Passes when:** ${inCode(rule.passTitle)}.

Reads ${reads.length > 0 ? reads.join(', ') : 'nothing but the URL'}.
`;
}

/** @param {string} text */
function inCode(text) {
  return text.replaceAll(/(?<!`)<[^>]*>(?!`)/g, (tag) => `\`${tag}\``);
}

const INTRODUCTION = `Written by \`node scripts/write-rule-docs.mjs\` from the rules themselves; do not edit.

A rule is a pure function of recorded facts. A failing rule costs its weight, times 1 for an error, 0.5 for a warning and
0.15 for a hint, times its reach: the cube root of the share of pages, links or files that fail. What is left of the total
weight is raised to the fourth power and multiplied by 100. Rules that are not applicable or not measured are listed and
never scored. The score is capped at 40 if the home page is not 200, is set to noindex or is blocked by robots.txt, or if
anyone can read a private file; and at 50 if a tenth of the pages return a server error or TLS fails on the site's own host.
A from 90, B from 80, C from 70, D from 60, else F.

[What needs a browser](not-covered.md) lists the rules of axe and Lighthouse that Sonde does not check.
`;

const NOT_COVERED = `# What needs a browser

An audit reads markup, headers and files, and runs no scripts. These rules of axe-core and Lighthouse need layout, styles,
scripts or a person, and are not checked.

| needs | axe-core | Lighthouse |
|---|---|---|
| colours and sizes | color-contrast, color-contrast-enhanced, link-in-text-block, target-size, css-orientation-lock, avoid-inline-spacing | font-size, tap targets, image-aspect-ratio, image-size-responsive, uses-responsive-images, offscreen-images |
| visibility and focus | aria-hidden-focus, bypass, focus-order-semantics, frame-focusable-content, hidden-content, region, scrollable-region-focusable, skip-link | focus-traps, focusable-controls, logical-tab-order, visual-order-follows-dom |
| running scripts | frame-tested, aria-required-children, label-content-name-mismatch | errors-in-console, deprecations, inspector-issues, third-party-cookies, unused-css-rules, unused-javascript, legacy-javascript, no-document-write, geolocation-on-start, notification-on-start, paste-preventing-inputs, bf-cache |
| timing on a device | | largest-contentful-paint, total-blocking-time, cumulative-layout-shift, speed-index, interactive, bootup-time, mainthread-work-breakdown |
| meaning | identical-links-same-purpose, image-redundant-alt, p-as-heading, table-fake-caption, label-title-only | custom-controls-labels, use-landmarks |

Text that scripts add, and elements that styles hide, are judged as the markup has them.
`;

/** @returns {Promise<Map<string, string>>} */
async function documents() {
  const { RULES, CATEGORY_NAMES, failureTitle } = await loadRules();
  const files = new Map();
  const sections = Object.entries(CATEGORY_NAMES).map(([category, name]) => {
    const rows = RULES.filter((rule) => rule.category === category).map(
      (rule) =>
        `| [\`${rule.id}\`](${rule.id}.md) | ${inCode(failureTitle(rule.title))} | ${rule.scope} | ${rule.severity} | ${rule.weight} |`,
    );
    return `## ${name}\n\n| rule | what is wrong | scope | severity | weight |\n|---|---|---|---|---:|\n${rows.join('\n')}\n`;
  });
  files.set('README.md', `# Audit rules\n\n${RULES.length} rules. ${INTRODUCTION}\n${sections.join('\n')}`);
  files.set('not-covered.md', NOT_COVERED);
  for (const rule of RULES)
    files.set(
      `${rule.id}.md`,
      rulePage(rule, failureTitle(rule.title), CATEGORY_NAMES[rule.category] ?? rule.category),
    );
  return files;
}

const files = await documents();
if (process.argv.includes('--check')) {
  const present = readdirSync(folder).sort();
  const differing = [...files].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(folder, name), 'utf8') !== text,
  );
  const extra = present.filter((name) => !files.has(name));
  for (const [name] of differing) console.error(`docs/audit-rules/${name} does not match the rules`);
  for (const name of extra) console.error(`docs/audit-rules/${name} belongs to no rule`);
  process.exitCode = differing.length + extra.length === 0 ? 0 : 1;
} else {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
}
