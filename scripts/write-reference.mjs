// Writes docs/reference/ and the manual page from the code: errors, settings, the command line and the HTTP API. `npm
// run reference` builds first, because a running server supplies the API document. A test compares the files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import { apiPage } from './reference/api-page.mjs';
import { cell, cliPage, manPage } from './reference/cli-page.mjs';
import { documentOfBuiltServer } from './write-dashboard-types.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function load() {
  const contents = [
    `export { ERROR_CODES } from './src/errors.ts';`,
    `export { ERROR_MEANINGS } from './src/error-meanings.ts';`,
    `export { PROBE_ERROR_CODES } from './src/probe/signal-envelope.ts';`,
    `export { SETTING_ROWS, envName } from './src/config/setting-rows.ts';`,
    `export { createContext } from './src/cli/cli-context.ts';`,
    `export { createProgram } from './src/cli/create-program.ts';`,
    `export { describeProgram } from './src/cli/completion/describe-program.ts';`,
    `export { exitCodeLines } from './src/cli/exit-codes.ts';`,
  ].join('\n');
  const outfile = join(root, 'dist', `reference-${process.pid}.mjs`);
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' },
  });
  await stop();
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** @param {Record<string, any>} code */
function errorsPage({ ERROR_CODES, ERROR_MEANINGS, PROBE_ERROR_CODES }) {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, retryable, fault }]) => {
    const { meaning, fix } = ERROR_MEANINGS[code];
    return `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | ${fault} | ${cell(meaning)} | ${cell(fix)} |`;
  });
  const ofProbes = PROBE_ERROR_CODES.map((/** @type {string} */ code) => {
    const meaning = ERROR_MEANINGS[code]?.meaning ?? 'Any other failure.';
    return `| \`${code}\` | ${cell(meaning)} |`;
  });
  return `# Errors

Written by \`scripts/write-reference.mjs\`. \`sonde explain CODE\` prints one. An API error is
\`{"error":{"code":"…","message":"…"}}\` with the status below.

| code | status | retry | caused by | meaning | what to do |
|---|---|---|---|---|---|
${rows.join('\n')}

## Errors of a probe

A probe always returns an envelope; a target that fails is no exception. One that failed has \`result.error\` with one of
these codes:

| code | meaning |
|---|---|
${ofProbes.join('\n')}

For example, \`result\` of \`activeProbeProvider.probe('http://127.0.0.1/')\`:

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

/** Returns the commands as data; describing them needs nothing from the machine. @param {Record<string, any>} code */
function commandsOf({ createContext, createProgram, describeProgram }) {
  const output = { write: async () => {}, isTTY: false, colourDepth: 1, columns: 80 };
  const terminal = { stdout: output, stderr: output, env: {} };
  return describeProgram(createProgram(createContext({ terminal }, [])).program);
}

/**
 * Returns every page by its path.
 * @param {unknown} document the OpenAPI document
 * @returns {Promise<Record<string, string>>}
 */
export async function referencePages(document) {
  const code = await load();
  const commands = commandsOf(code);
  return {
    'docs/reference/errors.md': errorsPage(code),
    'docs/reference/settings.md': settingsPage(code),
    'docs/reference/cli.md': cliPage(commands),
    'docs/reference/api.md': apiPage(/** @type {Parameters<typeof apiPage>[0]} */ (document)),
    'docs/man/sonde.1': manPage(commands, code.exitCodeLines()),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const pages = await referencePages(await documentOfBuiltServer());
  for (const [path, text] of Object.entries(pages)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
