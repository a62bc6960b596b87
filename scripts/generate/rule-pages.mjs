// The pages of docs/audit-rules, which reports link to: an index and one page per rule.

/** @typedef {import('../../src/audits/rule.js').Rule} Rule */

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

const INTRODUCTION = `Written by \`npm run generate\` from the rules themselves; do not edit.

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

/**
 * Returns every page by its name.
 * @param {Record<string, any>} code
 * @returns {Map<string, string>}
 */
export function rulePages({ AUDIT_RULES, CATEGORY_NAMES, failureTitle }) {
  /** @type {readonly Rule[]} */
  const rules = AUDIT_RULES;
  /** @type {Readonly<Record<string, string>>} */
  const names = CATEGORY_NAMES;
  const files = new Map();
  const sections = Object.entries(names).map(([category, name]) => {
    const rows = rules
      .filter((rule) => rule.category === category)
      .map(
        (rule) =>
          `| [\`${rule.id}\`](${rule.id}.md) | ${inCode(failureTitle(rule.title))} | ${rule.scope} | ${rule.severity} | ${rule.weight} |`,
      );
    return `## ${name}\n\n| rule | what is wrong | scope | severity | weight |\n|---|---|---|---|---:|\n${rows.join('\n')}\n`;
  });
  files.set('README.md', `# Audit rules\n\n${rules.length} rules. ${INTRODUCTION}\n${sections.join('\n')}`);
  files.set('not-covered.md', NOT_COVERED);
  for (const rule of rules)
    files.set(
      `${rule.id}.md`,
      rulePage(rule, failureTitle(rule.title), names[rule.category] ?? rule.category),
    );
  return files;
}
