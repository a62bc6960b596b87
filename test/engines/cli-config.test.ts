/** `sonde config`: where each setting comes from, and how a bad configuration is reported. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { folderWith, shareProcess } from './cli-process.js';

const sonde = shareProcess();

const SECRET = 'correct-horse-battery-staple-0123456789';
const show = (cwd: string, args: string[] = [], env: Record<string, string> = {}) =>
  sonde(['config', 'show', '--origin', ...args], { cwd, env });

describe('config show --origin', () => {
  test.each([
    [
      'sonde.config.json',
      JSON.stringify({ $schema: './x.json', server: { host: 'localhost', port: 1, drainMs: '2s' } }),
    ],
    [
      'sonde.config.ts',
      `import { defineConfig } from 'sonde';
       const port: number = 1;
       export default defineConfig({ server: { host: 'localhost', port, drainMs: '2s' } });`,
    ],
  ])(
    '%s: flags override variables, which override the file, which overrides the default',
    async (name, text) => {
      const cwd = folderWith({ [name]: text });
      const { code, stdout, stderr } = await show(cwd, ['--host', '::1'], {
        SONDE_HOST: '127.0.0.9',
        SONDE_PORT: '2',
      });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^server\.host +::1 +flag --host$/m);
      expect(stdout).toMatch(/^server\.port +2 +env SONDE_PORT$/m);
      expect(stdout).toMatch(
        new RegExp(`^server\\.drainMs +2000 +file ${name.replaceAll('.', '\\.')}$`, 'm'),
      );
      expect(stdout).toMatch(/^server\.auth +jwt +default$/m);
    },
  );

  test('--json prints the same, and --config or SONDE_CONFIG names the file', async () => {
    const cwd = folderWith({ 'other.json': '{"log":{"level":"warn"}}' });
    const byFlag = await show(cwd, ['--json', '--config', 'other.json']);
    const byVariable = await show(cwd, ['--json'], { SONDE_CONFIG: 'other.json' });
    expect(byFlag.stdout).toBe(byVariable.stdout);
    const { schemaVersion, settings } = JSON.parse(byFlag.stdout);
    expect(schemaVersion).toBe(1);
    expect(settings['log.level']).toEqual({ value: 'warn', origin: 'file other.json' });
    expect(settings['net.allowPrivate']).toEqual({ value: [], origin: 'default' });
  });

  test('secrets are never shown', async () => {
    const tokens = JSON.stringify([{ token: SECRET, tenant: 'acme', scopes: ['stream:read'] }]);
    const env = { SONDE_JWT_SECRET: SECRET, SONDE_SERVICE_TOKENS: tokens };
    for (const args of [[], ['--json']]) {
      const { code, stdout, stderr } = await show(folderWith(), args, env);
      expect(code).toBe(0);
      expect(stdout).toContain('(set, hidden)');
      expect(stdout + stderr).not.toContain('battery');
    }
  });

  test('without --origin only keys and values are printed', async () => {
    const { stdout } = await sonde(['config', 'show']);
    expect(stdout).toMatch(/^server\.port +4747$/m);
  });
});

describe('a bad configuration is one line per problem on stderr, and exit code 2', () => {
  const bad: [string, Record<string, string>, string[], RegExp][] = [
    [
      'malformed JSON',
      { 'sonde.config.json': `{"auth":{"jwtSecret":"${SECRET}",}}` },
      [],
      /^error: sonde\.config\.json:1:\d+ is not valid JSON$/,
    ],
    [
      'JSON that is not an object',
      { 'sonde.config.json': '[]' },
      [],
      /^error: configuration: expected an object \(file sonde\.config\.json\)$/,
    ],
    [
      'an unknown key',
      { 'sonde.config.json': '{"server":{"prot":1}}' },
      [],
      /^error: server\.prot is not a known setting \(file sonde\.config\.json\); did you mean server\.port\?$/,
    ],
    [
      'a bad value',
      { 'sonde.config.json': '{"server":{"port":"x"}}' },
      [],
      /^error: server\.port: expected a whole number from 0 to 65535, got "x" \(file sonde\.config\.json\)$/,
    ],
    [
      'TypeScript with a syntax error',
      { 'sonde.config.ts': `export default { auth: { jwtSecret: '${SECRET}',, } };` },
      [],
      /^error: sonde\.config\.ts:1:\d+ is not valid TypeScript: Unexpected token$/,
    ],
    [
      'TypeScript that throws',
      { 'sonde.config.ts': 'throw new Error("no\\nluck")' },
      [],
      /^error: sonde\.config\.ts cannot be loaded: no$/,
    ],
    [
      'a missing import',
      { 'sonde.config.ts': 'import { x } from "./gone.js"; export default { x };' },
      [],
      /^error: sonde\.config\.ts cannot be loaded: Cannot find module '\.\/gone\.js'$/,
    ],
    [
      'a default export that is not an object',
      { 'sonde.config.ts': 'export default 5' },
      [],
      /^error: sonde\.config\.ts: the default export must be a plain object$/,
    ],
    [
      'a promise as the default export',
      { 'sonde.config.ts': 'export default Promise.resolve({})' },
      [],
      /the default export must be a plain object$/,
    ],
    [
      'no default export',
      { 'sonde.config.ts': 'export const server = {}' },
      [],
      /the default export must be a plain object$/,
    ],
    [
      'an unknown key in TypeScript',
      { 'sonde.config.ts': 'export default { sever: {} }' },
      [],
      /^error: sever is not a known setting \(file sonde\.config\.ts\); did you mean server\?$/,
    ],
    [
      'two files',
      { 'sonde.config.ts': 'export default {}', 'sonde.config.json': '{}' },
      [],
      /^error: sonde\.config\.ts and sonde\.config\.json both exist/,
    ],
    ['a missing file', {}, ['--config', 'gone.json'], /^error: gone\.json does not exist$/],
    ['a missing TypeScript file', {}, ['--config', 'gone.ts'], /^error: gone\.ts does not exist$/],
    [
      'a file with another extension',
      { 'a.yaml': '' },
      ['--config', 'a.yaml'],
      /^error: a\.yaml: the name of a configuration file must end in \.ts or \.json$/,
    ],
  ];
  test.each(bad)('%s', async (...[, files, args, error]) => {
    const { code, stdout, stderr } = await show(folderWith(files), args);
    const errors = stderr
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('hint: '));
    expect([code, stdout]).toEqual([2, '']);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(error);
    expect(stderr).not.toContain('battery');
  });

  test('all problems are reported at once, from all three sources', async () => {
    const cwd = folderWith({ 'sonde.config.json': '{"nett":{}}' });
    const { code, stderr } = await show(cwd, ['--port', 'x'], { SONDE_LOG_LEVEL: 'loud', SONDE_HOTS: '1' });
    expect(code).toBe(2);
    for (const part of ['nett', '(flag --port)', '(env SONDE_LOG_LEVEL)', 'SONDE_HOTS'])
      expect(stderr).toContain(part);
    const { stderr: json } = await show(cwd, ['--port', 'x', '--json']);
    const { error } = JSON.parse(json);
    expect(error.code).toBe('CONFIG_UNKNOWN_KEY');
    expect(error.problems).toHaveLength(2);
  });
});

test('config schema prints the published schema', async () => {
  const { code, stdout } = await sonde(['config', 'schema']);
  const published = readFileSync(new URL('../../schema/sonde.config.schema.json', import.meta.url), 'utf8');
  expect(code).toBe(0);
  expect(stdout).toBe(published);
});
