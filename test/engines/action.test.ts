/**
 * The GitHub action and the GitLab template, their shell steps run as the runners would: inputs through the
 * environment, reports, annotations, a summary, one comment per pull request, the verdict last. What is installed from
 * elsewhere (Node, uploads) is GitHub's own.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openDemo } from '../../src/cli/demo/open-demo.js';
import { listenLocally } from '../../src/runtimes/node/listen-locally.js';
import { listenHttp } from '../support/listen.js';
import { finished, folderWith } from './cli-process.js';

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly env?: Record<string, string>;
  readonly run?: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const action = parse(read('action.yml')) as {
  inputs: Record<string, { default?: string }>;
  runs: { steps: Step[] };
};
const stepOf = (id: string): Step => action.runs.steps.find((step) => step.id === id) ?? {};

interface Runner {
  readonly folder: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** `${{ inputs.x }}` and `${{ steps.run.outputs.x }}`, the two that the action uses. */
function expand(text: string, { inputs, folder }: Runner): string {
  return text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_all, name: string) => {
    const input = /^inputs\.(.+)$/.exec(name)?.[1];
    if (input !== undefined) return inputs[input] ?? action.inputs[input]?.default ?? '';
    const output = /^steps\.run\.outputs\.(.+)$/.exec(name)?.[1] ?? '';
    return new RegExp(`^${output}=(.*)$`, 'm').exec(readFileSync(join(folder, 'output'), 'utf8'))?.[1] ?? '';
  });
}

function runStep(id: string, runner: Runner) {
  const { env = {}, run = '' } = stepOf(id);
  const given = Object.entries(env).map(([name, text]) => [name, expand(text, runner)]);
  const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
    cwd: runner.folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: ROOT,
      GITHUB_OUTPUT: join(runner.folder, 'output'),
      GITHUB_STEP_SUMMARY: join(runner.folder, 'summary'),
      ...Object.fromEntries(given),
      ...runner.env,
    },
  });
  return finished(child);
}

const REPORTS = ['report.html', 'report.json', 'report.md', 'report.sarif', 'report.xml'];

test('installs the code of its own ref, and nothing from a registry by name', () => {
  expect(stepOf('install').run).toBe('cd "$GITHUB_ACTION_PATH" && npm ci --no-audit --no-fund');
  expect(read('action.yml')).not.toMatch(/npx|sonde@/);
});

test('every input reaches a step', () => {
  const text = JSON.stringify(action.runs.steps);
  expect(Object.keys(action.inputs).filter((name) => !text.includes(`inputs.${name}`))).toEqual([]);
});

test('compares, annotates, summarises and fails in its last step', async () => {
  const sites = await openDemo({ listenLocally });
  try {
    const folder = folderWith({ 'paths.txt': '/account\n/health\n', summary: '', output: '' });
    const inputs = {
      left: sites.staging,
      right: sites.production,
      paths: 'paths.txt',
      samples: '1',
      'allow-private': `${sites.staging}\n${sites.production}`,
      'label-left': 'staging',
      'label-right': 'production',
    };
    const runner = { folder, inputs };
    const { code, stdout } = await runStep('run', runner);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^::error title=AUTH_GATE_DRIFT on 1 of 2 paths%3A \/account::/m);
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toMatch(/^## Sonde: 🔴 fail/);
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('report=sonde-report\nexit-code=1\n');
    expect(readdirSync(join(folder, 'sonde-report')).sort()).toEqual(REPORTS);
    expect((await runStep('verdict', runner)).code).toBe(1);
  } finally {
    await sites.close();
  }
});

test('audits a site', async () => {
  const site = await listenHttp((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Hello</title><p>hello');
  });
  try {
    const folder = folderWith({ summary: '', output: '' });
    const inputs = {
      mode: 'audit',
      url: site.origin,
      pages: '1',
      'allow-private': site.origin,
      'fail-on': 'never',
    };
    const runner = { folder, inputs };
    expect((await runStep('run', runner)).code).toBe(0);
    expect(readdirSync(join(folder, 'sonde-report')).sort()).toEqual(REPORTS);
    expect((await runStep('verdict', runner)).code).toBe(0);
  } finally {
    await site.close();
  }
});

test('refuses a mode without its URLs', async () => {
  const folder = folderWith({ summary: '', output: '' });
  const { code, stderr } = await runStep('run', { folder, inputs: { mode: 'audit' } });
  expect([code, stderr]).toEqual([2, 'mode audit needs url\n']);
});

test('writes one comment per pull request, and replaces it', async () => {
  const comments: { id: number; body: string }[] = [{ id: 1, body: 'by a person' }];
  const github = await listenHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { body = '' } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { body?: string };
    const id = Number(/comments\/(\d+)$/.exec(request.url ?? '')?.[1]);
    if (request.method === 'POST') comments.push({ id: comments.length + 1, body });
    for (const comment of comments) if (request.method === 'PATCH' && comment.id === id) comment.body = body;
    response.end(JSON.stringify(request.method === 'GET' ? comments : {}));
  });
  try {
    const folder = folderWith({ 'event.json': '{"pull_request":{"number":7}}' });
    mkdirSync(join(folder, 'sonde-report'));
    const env = {
      GITHUB_API_URL: github.origin,
      GITHUB_REPOSITORY: 'you/shop',
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
    };
    for (const time of [1, 2]) {
      const { code, stderr } = await runStep('comment', { folder, inputs: { token: `t${time}` }, env });
      expect([code, stderr]).toEqual([0, '']);
    }
    expect(comments.map(({ body }) => body.split('\n')[0])).toEqual([
      'by a person',
      '<!-- sonde compare -->',
    ]);
  } finally {
    await github.close();
  }
});

test('the GitLab template runs the same script, and its exit code is the verdict', async () => {
  const template = parse(read('ci/gitlab.yml')) as {
    '.sonde': { script: string[]; variables: Record<string, string>; before_script: string[] };
  };
  const { script, variables, before_script: before } = template['.sonde'];
  expect(before).toContain('(cd .sonde && npm ci --no-audit --no-fund)');
  const sites = await openDemo({ listenLocally });
  try {
    const folder = folderWith();
    symlinkSync(ROOT, join(folder, '.sonde'));
    const child = spawn('bash', ['--noprofile', '--norc', '-e', '-c', script.join('\n')], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        ...variables,
        LEFT: `${sites.staging}/account`,
        RIGHT: `${sites.production}/account`,
        SAMPLES: '1',
        ALLOW_PRIVATE: `${sites.staging}\n${sites.production}`,
      },
    });
    expect((await finished(child)).code).toBe(1);
    expect(readdirSync(join(folder, 'sonde-report')).sort()).toEqual(REPORTS);
  } finally {
    await sites.close();
  }
});
