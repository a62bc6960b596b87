/**
 * Follows pages of the documentation like a reader: fenced blocks are files to save, commands to run, programs to start
 * and output to expect, in the order of the page. `https://staging.example.com` on a page is a site on loopback here,
 * and the output is compared after the page's names are put back.
 */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { expect } from 'vitest';
import { finished, folderWith, PROGRAM, startSonde } from '../engines/cli-process.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const DEFAULT_SERVER = 'http://127.0.0.1:4747';
/** Packages besides Sonde that programs on the pages import. */
export const PACKAGES = ['ai', 'openai', '@ai-sdk', '@anthropic-ai'];

const markdownIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => (folder === '.' ? name : `${folder}/${name}`));

/** Decisions are historical records; findings, rules and the reference are generated and checked elsewhere. */
export const PAGES: readonly string[] = [
  ...['.', 'docs', 'docs/guides', 'examples'].flatMap(markdownIn),
  ...['chat', 'pair-object', 'python', 'worker'].map((name) => `examples/${name}/README.md`),
];

export interface DocBlock {
  readonly page: string;
  readonly language: string;
  /** The name after the language: the block is that file. */
  readonly file: string | undefined;
  readonly text: string;
}

export function blocksOf(page: string): DocBlock[] {
  const source = readFileSync(join(ROOT, page), 'utf8');
  return [...source.matchAll(/^( *)```(\w*)(?: (\S+))?\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [, indent = '', language = '', file, text = ''] = match;
    return { page, language, file, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '') };
  });
}

export interface Session {
  /** Text of the page, with its replacement here. */
  readonly here?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Exit codes other than 0, by the start of the command. */
  readonly exits?: Readonly<Record<string, number>>;
  /** Commands that run elsewhere, by their start, and where. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Checks what each program printed. */
  readonly printed?: (output: string) => void;
}

/** One command per line; a trailing backslash continues the line. */
const commandsOf = (text: string): string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

const SERVICE = /^(?:npx sonde|npm start --) ?(?=serve|worker|--)/;

/** Splits and expands words like the shell. */
const shellWords = (text: string, env: Record<string, string>): string[] =>
  execFileSync('bash', ['-c', `printf '%s\\0' ${text}`], { encoding: 'utf8', env })
    .split('\0')
    .filter(Boolean);

class Reader {
  readonly cwd: string;
  readonly #session: Session;
  #env: Record<string, string>;
  #here: Readonly<Record<string, string>>;
  #server: ChildProcessWithoutNullStreams | undefined;
  #output = '';

  constructor(session: Session) {
    this.#session = session;
    this.cwd = folderWith(session.files ?? {});
    this.#here = session.here ?? {};
    this.#env = { PATH: process.env['PATH'] ?? '', HOME: this.cwd, NO_COLOR: '1', ...session.env };
    mkdirSync(join(this.cwd, 'node_modules'));
    for (const name of PACKAGES)
      symlinkSync(join(ROOT, 'node_modules', name), join(this.cwd, 'node_modules', name));
    symlinkSync(ROOT, join(this.cwd, 'node_modules', 'sonde'));
  }

  async read(block: DocBlock): Promise<void> {
    const { language, file, text } = block;
    if (file !== undefined) return this.#save(file, text);
    if (language === 'sh') for (const command of commandsOf(text)) await this.#command(command);
    else if (language === 'ts') await this.#program(text);
    else if (language === 'text') this.#expectOutput(block);
    else if (language === 'json') JSON.parse(text);
    else if (language !== 'yaml') throw new Error(`${block.page}: unknown language in \`\`\`${language}`);
  }

  #save(file: string, text: string): void {
    mkdirSync(dirname(join(this.cwd, file)), { recursive: true });
    writeFileSync(join(this.cwd, file), this.#localised(text));
  }

  #localised(text: string): string {
    return Object.entries(this.#here).reduce((result, [there, here]) => result.replaceAll(there, here), text);
  }

  /** Replaces URLs, and hosts where a report names a side by its host. */
  #asOnThePage(text: string): string {
    const hostOf = (url: string) => url.replace(/^https?:\/\//, '');
    return Object.entries(this.#here)
      .filter(([, here]) => here.startsWith('http'))
      .reduce(
        (result, [there, here]) => result.replaceAll(here, there).replaceAll(hostOf(here), hostOf(there)),
        text,
      );
  }

  async #command(command: string): Promise<void> {
    const { elsewhere = {}, exits = {} } = this.#session;
    const named = (table: Readonly<Record<string, unknown>>) =>
      Object.keys(table).find((beginning) => command.startsWith(beginning));
    if (named(elsewhere) !== undefined) return;
    if (SERVICE.test(command)) return this.#start(command);
    const local = this.#localised(command).replaceAll('npx sonde', `"${process.execPath}" "${PROGRAM}"`);
    const kept = join(this.cwd, '.environment');
    const script = `trap 'code=$?; env -0 > "${kept}"; exit $code' EXIT\n${local}`;
    const child = spawn('bash', ['-o', 'pipefail', '-c', script], { cwd: this.cwd, env: this.#env });
    const { code, stdout, stderr } = await finished(child);
    this.#output = stdout + stderr;
    expect(code, `${command}\n${this.#output}`).toBe(exits[named(exits) ?? ''] ?? 0);
    const pairs = readFileSync(kept, 'utf8').split('\0').filter(Boolean);
    this.#env = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
  }

  /** Starts a server or a worker in the background, on a free port. A second server replaces the first. */
  async #start(command: string): Promise<void> {
    const words = shellWords(this.#localised(command).replace(SERVICE, ''), this.#env);
    const args = words[0]?.startsWith('--') ? ['serve', ...words] : words;
    const isServer = args[0] === 'serve';
    if (isServer && this.#server) {
      this.#server.kill('SIGTERM');
      await once(this.#server, 'exit');
    }
    const child = startSonde([...args, '--json'], {
      cwd: this.cwd,
      env: { ...this.#env, ...(isServer && { SONDE_PORT: '0' }) },
    });
    let complaints = '';
    child.stderr.on('data', (data) => {
      complaints += data;
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${command}: ${complaints}`)));
    const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
    ended.catch(() => {});
    if (!isServer) return;
    this.#server = child;
    const { url } = JSON.parse(String(line)) as { url: string };
    this.#env = { ...this.#env, SONDE_SERVER: url };
    this.#here = { ...this.#session.here, [DEFAULT_SERVER]: url };
  }

  async #program(source: string): Promise<void> {
    const { code: script } = transformSync(this.#localised(source), { loader: 'ts', format: 'esm' });
    writeFileSync(join(this.cwd, 'program.mjs'), script);
    const child = spawn(process.execPath, ['program.mjs'], { cwd: this.cwd, env: this.#env });
    const { code, stdout, stderr } = await finished(child);
    expect([source, code, stderr]).toEqual([source, 0, '']);
    this.#output = stdout;
    this.#session.printed?.(stdout);
  }

  /** Compares line by line; `…` matches anything. */
  #expectOutput({ page, text }: DocBlock): void {
    const printed = this.#asOnThePage(this.#output);
    for (const line of text.trimEnd().split('\n').filter(Boolean)) {
      const pattern = line
        .split('…')
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.*');
      expect(printed, `${page} shows "${line}"`).toMatch(new RegExp(pattern));
    }
  }
}

/** Follows the page from top to bottom in an empty folder, and returns that folder. */
export async function walkPage(page: string, session: Session): Promise<string> {
  const reader = new Reader(session);
  for (const block of blocksOf(page)) await reader.read(block);
  return reader.cwd;
}
