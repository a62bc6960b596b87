// Renders the command line as a page and as a manual page, from the program itself.

/** @typedef {import('../../src/cli/completion/describe-program.js').CommandShape} CommandShape */

/** @param {unknown} value */
export const cell = (value) => String(value).replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Options of the program itself apply to every command and are described once. */
const GLOBAL = new Set(['--json', '--config', '--help', '--version']);

/** @param {CommandShape} command */
const ownOptions = ({ options }) => options.filter(({ flags }) => !flags.some((flag) => GLOBAL.has(flag)));

/** Commands that do something, without the words that group them. @param {readonly CommandShape[]} commands */
const runnable = (commands) =>
  commands.filter(({ path }) => !commands.some((other) => other.path.startsWith(`${path} `)));

/** @param {CommandShape} command */
const synopsis = ({ path, usage }) => `${path} ${usage}`.trim();

/** @param {CommandShape} command */
function section(command) {
  const args = command.arguments
    .filter(({ about }) => about !== '')
    .map(({ term, about }) => `| \`${cell(term)}\` | ${cell(about)} |`);
  const options = ownOptions(command).map(({ term, about, choices }) => {
    const values = choices.length > 0 ? ` (${choices.join(', ')})` : '';
    return `| \`${cell(term)}\` | ${cell(about)}${cell(values)} |`;
  });
  const table =
    args.length + options.length > 0 ? ['', '| option | about |', '|---|---|', ...args, ...options] : [];
  const notes = command.notes ? ['', '```text', command.notes, '```'] : [];
  return [
    `## ${command.path}`,
    '',
    `${sentence(command.about)}`,
    '',
    `\`${synopsis(command)}\``,
    ...table,
    ...notes,
  ];
}

/** @param {string} text */
const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** @param {readonly CommandShape[]} commands */
export function cliPage(commands) {
  const list = runnable(commands).map(
    ({ path, about }) => `| [\`${path}\`](#${path.replaceAll(' ', '-')}) | ${cell(about)} |`,
  );
  const program = commands[0];
  const shared = (program?.options ?? []).map(({ term, about }) => `| \`${cell(term)}\` | ${cell(about)} |`);
  return `${[
    '# Command line',
    '',
    'Written by `npm run generate`. `sonde COMMAND --help` prints the same, and `man sonde` if the package is',
    'installed globally.',
    '',
    '| command | about |',
    '|---|---|',
    ...list,
    '',
    'Every command takes these:',
    '',
    '| option | about |',
    '|---|---|',
    ...shared,
    '',
    '```text',
    program?.notes ?? '',
    '```',
    '',
    ...runnable(commands).flatMap((command) => [...section(command), '']),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

/** Escapes text for roff: no escapes or requests, and hyphens that can be searched and copied. @param {string} text */
const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll(/^([.'])/gm, '\\&$1');

/** @param {string} notes */
const verbatim = (notes) => ['.PP', '.nf', roff(notes), '.fi'];

/** @param {CommandShape} command */
function manSection(command) {
  const entries = [...command.arguments.filter(({ about }) => about !== ''), ...ownOptions(command)];
  return [
    `.SS ${roff(synopsis(command))}`,
    roff(sentence(command.about)),
    ...entries.flatMap(({ term, about }) => ['.TP', `.B ${roff(term)}`, roff(about)]),
    ...(command.notes ? verbatim(command.notes) : []),
  ];
}

/** @param {readonly CommandShape[]} commands @param {readonly string[]} exitCodes */
export function manPage(commands, exitCodes) {
  const [program, ...rest] = commands;
  const lines = [
    '.\\" Written by npm run generate.',
    '.TH SONDE 1 "" "Sonde" "User Commands"',
    '.SH NAME',
    'sonde \\- compare environments, audit sites, and keep streamed responses',
    '.SH SYNOPSIS',
    '.B sonde',
    'COMMAND [OPTIONS]',
    '.SH DESCRIPTION',
    roff('Safe, durable outbound HTTP: a server, client commands for it, and commands that need no server.'),
    '.SH OPTIONS',
    ...(program?.options ?? []).flatMap(({ term, about }) => ['.TP', `.B ${roff(term)}`, roff(about)]),
    '.SH COMMANDS',
    ...runnable(rest).flatMap(manSection),
    '.SH EXIT STATUS',
    '.nf',
    ...exitCodes.map(roff),
    '.fi',
    '.SH ENVIRONMENT',
    roff(
      'Every setting is also a variable: --allow-private is SONDE_ALLOW_PRIVATE. DATABASE_URL names PostgreSQL.',
    ),
    '.SH FILES',
    '.TP',
    '.B sonde.config.json, sonde.config.ts',
    roff('Settings of this folder.'),
    '.TP',
    '.B ./sonde\\-data',
    roff('Data and secrets of a server; --data names another folder.'),
  ];
  return `${lines.join('\n')}\n`;
}
