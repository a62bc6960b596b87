// The pages of docs/reference and the manual page: errors, settings, the command line and the HTTP API.
import { apiPage } from './api-page.mjs';
import { cell, cliPage, manPage } from './cli-page.mjs';

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

Written by \`npm run generate\`. \`sonde explain CODE\` prints one. An API error is
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

Written by \`npm run generate\`. A flag, an environment variable and a key of the configuration file are the
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
 * @param {Record<string, any>} code
 * @param {unknown} document the OpenAPI document
 * @returns {[string, string][]}
 */
export function referencePages(code, document) {
  const commands = commandsOf(code);
  return [
    ['docs/reference/errors.md', errorsPage(code)],
    ['docs/reference/settings.md', settingsPage(code)],
    ['docs/reference/cli.md', cliPage(commands)],
    ['docs/reference/api.md', apiPage(/** @type {Parameters<typeof apiPage>[0]} */ (document))],
    ['docs/man/sonde.1', manPage(commands, code.exitCodeLines())],
  ];
}
