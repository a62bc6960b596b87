/** Usage, help, exit codes, colour and start-up of the command line. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../src/version.js';
import { folderWith, PROGRAM, shareProcess, sonde as sondeAlone } from './cli-process.js';

const sonde = shareProcess();

const ESCAPE = '\u001b[';

describe('requested output goes to stdout, with exit code 0', () => {
  test('--version, also as JSON', async () => {
    expect(await sondeAlone(['--version'])).toMatchObject({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
    const { stdout } = await sonde(['--json', '--version']);
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: 1, version: VERSION });
  });

  test('--help explains the exit codes', async () => {
    const { code, stdout, stderr } = await sonde(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const line of [/serve/, /^ +0 {2}success$/m, /^ +130 {2}interrupted$/m])
      expect(stdout).toMatch(line);
  });

  test.each([['exit-codes'], ['help', 'exit-codes']])('%s %s', async (...args) => {
    const { code, stdout } = await sonde(args.filter(Boolean));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +2 {2}wrong usage or configuration/m);
  });

  test('serve --help lists every setting with its variable', async () => {
    const { stdout } = await sonde(['serve', '--help']);
    for (const name of ['--host', '--allow-private', '--service-tokens']) expect(stdout).toContain(name);
    expect(stdout).toMatch(/env:\s+SONDE_PUBLIC_URL/);
  });
});

describe('wrong usage is one line and a hint on stderr, with exit code 2', () => {
  test.each([
    [['bogus'], /^error: unknown command 'bogus'$/, /^hint: sonde --help/],
    [['serv'], /^error: unknown command 'serv'$/, /^hint: Did you mean serve\?$/],
    [['serve', '--hots', 'x'], /^error: unknown option '--hots'$/, /^hint: Did you mean --host\?$/],
    [['serve', '--port'], /^error: option '--port <PORT>' argument missing$/, /^hint: sonde serve --help/],
    [['config', 'show', 'extra'], /^error: too many arguments/, /^hint: sonde config show --help/],
    [['completion', 'tcsh'], /bash, zsh, fish/, /^hint: sonde completion --help/],
    [['token'], /^error: --scope is required: what the token may do$/, /^hint: for example --scope/],
    [
      ['token', '--scope', 'admin', '--expires', 'soon'],
      /^error: --expires: expected a time/,
      /^hint: sonde token/,
    ],
    [
      ['serve', '--port', '70000'],
      /^error: server\.port: expected .* \(flag --port\)$/,
      /^hint: sonde serve --help/,
    ],
  ])('%j', async (args, error, hint) => {
    const { code, stdout, stderr } = await sonde(args);
    const lines = stderr.trimEnd().split('\n');
    expect([code, stdout, lines.length]).toEqual([2, '', 2]);
    expect(lines[0]).toMatch(error);
    expect(lines[1]).toMatch(hint);
  });

  test('no command prints help on stderr', async () => {
    const { code, stdout, stderr } = await sondeAlone([]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Usage: sonde');
  });

  test('--json turns it into one line of JSON, wherever the flag is', async () => {
    for (const args of [
      ['--json', 'bogus'],
      ['bogus', '--json'],
    ]) {
      const { code, stdout, stderr } = await sonde(args);
      expect([code, stdout]).toEqual([2, '']);
      expect(JSON.parse(stderr)).toEqual({
        schemaVersion: 1,
        error: { code: 'USAGE', message: "unknown command 'bogus'" },
      });
    }
  });

  test('control characters and credentials in an argument do not reach the terminal', async () => {
    const { stderr } = await sonde(['\u001b[31mred\nBearer abcdef1234567890abcdef']);
    expect(stderr).toContain('unknown command');
    expect(stderr).not.toContain('\u001b');
    expect(stderr).not.toContain('abcdef1234567890abcdef');
  });
});

describe('colour', () => {
  test('is off on a pipe, in CI and with NO_COLOR; FORCE_COLOR turns it on', async () => {
    const texts = async (env: Record<string, string>) => {
      const { stdout, stderr } = await sonde(['config', 'show', '--origin'], { env });
      const failed = await sonde(['bogus'], { env });
      return stdout + stderr + failed.stderr;
    };
    expect(await texts({})).not.toContain(ESCAPE);
    expect(await texts({ CI: 'true' })).not.toContain(ESCAPE);
    expect(await texts({ FORCE_COLOR: '1', NO_COLOR: '1' })).not.toContain(ESCAPE);
    expect(await texts({ FORCE_COLOR: '1' })).toContain(ESCAPE);
  });
});

describe('start-up', () => {
  /** Returns the packages that a file of dist/ loads before it runs: the bundler names the source of each part. */
  function packagesIn(file: string, seen = new Set<string>()): string[] {
    if (seen.has(file)) return [];
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    const bundled = [...text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(
      ([, name = '']) => name,
    );
    const imports = [...text.matchAll(/^(?:import|export)\b[^;]*?["']([^"'\n]+)["'];$/gm)];
    const outside = imports.flatMap(([, name = '']) => {
      if (name.startsWith('.')) return packagesIn(join(dirname(file), name), seen);
      return name.startsWith('node:') ? [] : [name];
    });
    return [...new Set([...bundled, ...outside])];
  }

  test('loads no package but commander', () => {
    expect(packagesIn(PROGRAM)).toEqual(['commander']);
  });

  /** Returns the source files whose code a run of the program loaded, as the bundler names them. */
  async function loadedBy(args: readonly string[]): Promise<Set<string>> {
    const coverage = folderWith();
    expect(await sondeAlone(args, { env: { NODE_V8_COVERAGE: coverage } })).toMatchObject({ code: 0 });
    const scripts = readdirSync(coverage).flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
        result: { url: string }[];
      };
      return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
    });
    const texts = scripts.map((url) => readFileSync(fileURLToPath(url), 'utf8'));
    const names = texts.flatMap((text) => [...text.matchAll(/^\/\/ (src\/\S+)$/gm)]);
    return new Set(names.map(([, name = '']) => name));
  }

  test('a command that creates a token does not load the server', async () => {
    const loaded = await loadedBy(['token', '--scope', 'stream:read']);
    expect(loaded).toContain('src/runtimes/node/server/secrets.ts');
    expect([...loaded].filter((name) => /^src\/(?:api\/routes|streams|stores)\//.test(name))).toEqual([]);
  });
});
