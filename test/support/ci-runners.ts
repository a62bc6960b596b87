/**
 * The parts of GitHub's runner for composite actions and of GitLab's runner for jobs that Sonde uses: steps in order,
 * in bash with the runner's own options, conditions, inputs and outputs. External steps (`uses`) are recorded, not run.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type Finished, finished } from '../engines/cli-process.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const PATH = process.env['PATH'] ?? '';

/**
 * Creates a repository of Sonde at the tag `v0.1.0`, as a runner gets it: `npm ci` in it builds. It has no dependencies
 * to download, and its build links to the one here. `npm run first-minute` does both for real.
 */
export function repositoryOfSonde(parent: string): string {
  const folder = mkdtempSync(join(parent, 'sonde-'));
  for (const name of ['action.yml', 'ci']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  const manifest = { name: 'sonde', version: '0.1.0', scripts: { prepare: `ln -sfn '${ROOT}/dist' dist` } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const { name, version } = manifest;
  const lock = { name, version, lockfileVersion: 3, packages: { '': { name, version } } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    execFileSync('git', [...who, ...args], { cwd: folder, stdio: 'ignore' });
  };
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Release 0.1.0');
  git('tag', 'v0.1.0');
  return folder;
}

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

export const readAction = (folder = ROOT): Action =>
  parse(readFileSync(join(folder, 'action.yml'), 'utf8')) as Action;

export interface ActionRun {
  /** The workspace, where the user's repository is checked out. */
  readonly folder: string;
  /** Where the action itself is. */
  readonly action: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** The event's name and payload. */
  readonly event?: { readonly name: string; readonly payload: unknown };
  readonly env?: Readonly<Record<string, string>>;
}

export interface RanAction {
  readonly failed: boolean;
  readonly steps: readonly (Finished & { readonly id: string })[];
  /** The external actions used, with their inputs. */
  readonly used: readonly { readonly uses: string; readonly with: Readonly<Record<string, string>> }[];
  readonly summary: string;
}

/** Replaces `${{ a.b.c }}` by its full name. */
const expand = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_all, name: string) => values.get(name) ?? '');

/** Supports `always()` and comparisons with a string, joined by `&&`, which is all that the action uses. */
function holds(condition: string | undefined, failed: boolean, values: ReadonlyMap<string, string>): boolean {
  if (condition === undefined) return !failed;
  const terms = condition.split(' && ');
  if (!terms.includes('always()') && failed) return false;
  return terms.every((term) => {
    if (term === 'always()') return true;
    const [, name = '', text = ''] = /^([\w.-]+) == '([^']*)'$/.exec(term) ?? [];
    if (name === '') throw new Error(`unsupported condition: ${term}`);
    return (values.get(name) ?? '') === text;
  });
}

const readIfAny = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

export async function runAction({ folder, action, inputs, event, env = {} }: ActionRun): Promise<RanAction> {
  const { inputs: declared, runs } = readAction(action);
  const unknown = Object.keys(inputs).filter((name) => !Object.hasOwn(declared, name));
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(', ')}`);
  const values = new Map<string, string>([['github.event_name', event?.name ?? 'push']]);
  for (const [name, { default: fallback = '' }] of Object.entries(declared))
    values.set(`inputs.${name}`, inputs[name] ?? expand(fallback, values));
  const files = mkdtempSync(join(folder, '.runner-'));
  const at = (name: string) => join(files, name);
  writeFileSync(at('event.json'), JSON.stringify(event?.payload ?? {}));
  const steps: (Finished & { id: string })[] = [];
  const used: { uses: string; with: Record<string, string> }[] = [];
  let failed = false;
  for (const step of runs.steps) {
    if (!holds(step.if, failed, values)) continue;
    const expanded = (table: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(table).map(([name, text]) => [name, expand(text, values)]));
    if (step.uses !== undefined) {
      used.push({ uses: step.uses, with: expanded(step.with) });
      continue;
    }
    const id = step.id ?? '';
    writeFileSync(at('output'), '');
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''], {
      cwd: folder,
      env: {
        PATH,
        HOME: folder,
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: action,
        GITHUB_EVENT_PATH: at('event.json'),
        GITHUB_OUTPUT: at('output'),
        GITHUB_STEP_SUMMARY: at('summary'),
        ...env,
        ...expanded(step.env),
      },
    });
    const ended = await finished(child);
    steps.push({ ...ended, id });
    failed ||= ended.code !== 0;
    for (const [, name = '', value = ''] of readIfAny(at('output')).matchAll(/^([\w-]+)=(.*)$/gm))
      values.set(`steps.${id}.outputs.${name}`, value);
  }
  return { failed, steps, used, summary: readIfAny(at('summary')) };
}

interface GitlabJob {
  readonly extends?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
  readonly artifacts?: {
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string>>;
  };
}

type Pipeline = Readonly<Record<string, GitlabJob>>;

/** Returns a job merged with everything it extends; variables are merged, everything else is replaced. */
export function gitlabJob(pipeline: Pipeline, name: string): GitlabJob {
  const job = pipeline[name];
  if (!job) throw new Error(`there is no job ${name}`);
  const base = job.extends === undefined ? {} : gitlabJob(pipeline, job.extends);
  return { ...base, ...job, variables: { ...base.variables, ...job.variables } };
}

/** Runs `before_script` and `script` in one shell, as GitLab's runner does. */
export async function runGitlabJob(
  { before_script: before = [], script = [], variables = {}, artifacts = {} }: GitlabJob,
  { folder, env = {} }: { readonly folder: string; readonly env?: Readonly<Record<string, string>> },
): Promise<Finished & { readonly artifacts: readonly string[] }> {
  const given = { ...variables, ...env };
  const lines = ['set -eo pipefail', ...before, ...script].join('\n');
  const child = spawn('bash', ['--noprofile', '--norc', '-c', lines], {
    cwd: folder,
    env: { PATH, HOME: folder, CI: 'true', GITLAB_CI: 'true', ...given },
  });
  const kept = [...(artifacts.paths ?? []), ...Object.values(artifacts.reports ?? {})];
  const named = kept.map((path) => path.replaceAll(/\$(\w+)/g, (_all, name: string) => given[name] ?? ''));
  return { ...(await finished(child)), artifacts: named };
}
