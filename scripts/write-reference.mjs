// Writes docs/reference/ from the code: errors and settings. `--check` writes nothing and fails if a file differs; a
// test runs it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs', 'reference');

async function load() {
  const contents = [
    `export { ERROR_CODES } from './src/errors.ts';`,
    `export { ERROR_MEANINGS } from './src/error-meanings.ts';`,
    `export { PROBE_ERROR_CODES } from './src/probe/signal-envelope.ts';`,
    `export { SETTING_ROWS, envName } from './src/config/setting-rows.ts';`,
  ].join('\n');
  const outfile = join(root, 'dist', 'reference.mjs');
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' },
  });
  await stop();
  try {
    return await import(`${outfile}?${Date.now()}`);
  } finally {
    rmSync(outfile, { force: true });
  }
}

const cell = (/** @type {unknown} */ value) => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @param {Record<string, any>} code */
function errorsPage({ ERROR_CODES, ERROR_MEANINGS, PROBE_ERROR_CODES }) {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, retryable, fault }]) => {
    const { meaning, fix } = ERROR_MEANINGS[code];
    return `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${fault} | ${cell(meaning)} | ${cell(fix)} |`;
  });
  const probe = PROBE_ERROR_CODES.map((/** @type {string} */ code) => `\`${code}\``).join(', ');
  return `# Errors

Written by \`scripts/write-reference.mjs\`. \`sonde explain CODE\` prints one. An API error is
\`{"error":{"code":"…","message":"…"}}\` with the status below.

| code | status | retry | caused by | meaning | what to do |
|---|---|---|---|---|---|
${rows.join('\n')}

## Errors of a probe

A probe always returns an envelope. One that failed has \`result.error.code\`, one of: ${probe}. The codes have the
meanings above; \`unknown_error\` is any other failure. For example:

\`\`\`json
{ "ok": false, "error": { "code": "ssrf_blocked", "message": "127.0.0.1 is refused: loopback (RFC 1122)", "details": { "rule": "loopback", "step": "address" } } }
\`\`\`
`;
}

/** @param {Record<string, any>} code */
function settingsPage({ SETTING_ROWS, envName }) {
  const rows = SETTING_ROWS.map((/** @type {any} */ row) => {
    const shown = typeof row.default === 'object' ? '' : (row.default ?? row.unset ?? '');
    return `| \`${row.key}\` | \`--${row.flag}\` | \`${envName(row)}\` | ${cell(shown)} | ${cell(row.about)} |`;
  });
  return `# Settings

Written by \`scripts/write-reference.mjs\`. A flag, an environment variable and a key of the configuration file are the
same setting. \`sonde config show --origin\` prints where each value comes from.

| key | flag | variable | default | about |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

const code = await load();
const pages = { 'errors.md': errorsPage(code), 'settings.md': settingsPage(code) };
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(pages)) {
  const path = join(folder, name);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${name} differs from the code: run node scripts/write-reference.mjs`);
    process.exitCode = 1;
  }
}
