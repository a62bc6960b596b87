/**
 * The GitHub action and the GitLab template, run from the examples of a user's pipeline the way their runners do it:
 * installed from their own ref, with reports, annotations, a summary, one comment per pull request, and the verdict
 * last.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type OpenDemo, openDemo } from '../../src/cli/demo/open-demo.js';
import { listenLocally } from '../../src/runtimes/node/listen-locally.js';
import {
  type ActionRun,
  gitlabJob,
  readAction,
  repositoryOfSonde,
  runAction,
  runGitlabJob,
} from '../support/ci-runners.js';
import { blocksOf, ROOT } from '../support/doc-pages.js';
import { listenHttp } from '../support/listen.js';
import { folderWith } from './cli-process.js';

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const REPORTS = ['report.html', 'report.json', 'report.md', 'report.sarif', 'report.xml'];

const parent = mkdtempSync(join(tmpdir(), 'sonde-action-'));
let sites: OpenDemo;
let action: string;
beforeAll(async () => {
  sites = await openDemo({ listenLocally });
  action = repositoryOfSonde(parent);
});
afterAll(async () => {
  await sites.close();
  rmSync(parent, { recursive: true, force: true });
});

const here = (text: string) =>
  text
    .replaceAll('https://staging.example.com', sites.staging)
    .replaceAll('https://example.com', sites.production);

interface UsesSonde {
  readonly uses?: string;
  readonly with?: Record<string, string>;
}

/** Returns the inputs of the step that uses the action. */
function inputsIn(yaml: string): Record<string, string> {
  const found = parse(here(yaml)) as UsesSonde[] | { jobs: Record<string, { steps: UsesSonde[] }> };
  const steps = Array.isArray(found) ? found : Object.values(found.jobs).flatMap((job) => job.steps);
  return steps.find(({ uses }) => uses?.startsWith('OWNER/sonde@'))?.with ?? {};
}

/** Creates a user's repository with the list of paths, and the action. */
function workspace(): Pick<ActionRun, 'folder' | 'action'> {
  return { folder: folderWith({ 'paths.txt': read('examples/ci/paths.txt') }), action };
}

const opened = () => ({ 'allow-private': `${sites.staging}\n${sites.production}`, samples: '1' });

test('the action installs its code from its own ref, and nothing from a registry by name', () => {
  expect(read('action.yml')).not.toMatch(/npx|sonde@/);
  const text = JSON.stringify(readAction().runs.steps);
  expect(Object.keys(readAction().inputs).filter((name) => !text.includes(`inputs.${name}`))).toEqual([]);
});

test('every input in the documentation exists', () => {
  const shown = blocksOf('README.md').filter(({ language }) => language === 'yaml');
  const inputs = [...shown.map(({ text }) => inputsIn(text)), inputsIn(read('examples/ci/github.yml'))];
  for (const given of inputs) {
    expect(Object.keys(given).length).toBeGreaterThan(3);
    expect(Object.keys(given).filter((name) => !Object.hasOwn(readAction().inputs, name))).toEqual([]);
  }
});

test('the GitHub example annotates, summarises, keeps one comment and fails in its last step', async () => {
  const marker = '<!-- sonde compare -->';
  const comments = [
    { id: 1, body: 'by a person', user: { login: 'ann' } },
    // Its author could change it after it was replaced.
    { id: 2, body: `${marker}\nforged`, user: { login: 'mallory' } },
  ];
  const user = { login: 'app[bot]' };
  const github = await listenHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { body = '' } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { body?: string };
    if (request.url === '/graphql') return response.end(JSON.stringify({ data: { viewer: user } }));
    const id = Number(/comments\/(\d+)$/.exec(request.url ?? '')?.[1]);
    if (request.method === 'POST') comments.push({ id: comments.length + 1, body, user });
    for (const comment of comments) if (request.method === 'PATCH' && comment.id === id) comment.body = body;
    return response.end(JSON.stringify(request.method === 'GET' ? comments : {}));
  });
  try {
    const run = {
      ...workspace(),
      inputs: { ...inputsIn(read('examples/ci/github.yml')), ...opened(), 'upload-sarif': 'true' },
      event: { name: 'pull_request', payload: { pull_request: { number: 7 } } },
      env: {
        GITHUB_API_URL: github.origin,
        GITHUB_GRAPHQL_URL: `${github.origin}/graphql`,
        GITHUB_REPOSITORY: 'you/shop',
      },
    };
    const { failed, steps, used, summary } = await runAction(run);
    expect(steps.map(({ id, code }) => [id, code])).toEqual([
      ['install', 0],
      ['run', 0],
      ['comment', 0],
      ['verdict', 1],
    ]);
    expect(failed).toBe(true);
    expect(steps[1]?.stdout).toMatch(/^::error title=AUTH_GATE_DRIFT on 1 of 3 paths%3A \/account::/m);
    expect(summary).toMatch(/^## Sonde: 🔴 fail/);
    expect(readdirSync(join(run.folder, 'sonde-report')).sort()).toEqual(REPORTS);
    expect(used.map(({ uses }) => uses.split('@')[0])).toEqual([
      'actions/setup-node',
      'actions/upload-artifact',
      'github/codeql-action/upload-sarif',
    ]);
    expect(used[1]?.with).toMatchObject({ path: 'sonde-report' });
    expect(existsSync(join(run.folder, used[2]?.with['sarif_file'] ?? ''))).toBe(true);
    expect(comments.map(({ body }) => body.split('\n')[0])).toEqual(['by a person', marker, marker]);
    expect(comments[1]?.body).toBe(`${marker}\nforged`);
    expect(comments[2]?.body).toContain('AUTH_GATE_DRIFT');
    // The next push replaces the comment.
    await runAction({ ...run, ...workspace() });
    expect(comments).toHaveLength(3);
  } finally {
    await github.close();
  }
});

test('the action audits a site, and passes', async () => {
  const run = {
    ...workspace(),
    inputs: { ...opened(), mode: 'audit', url: sites.staging, pages: '1', 'fail-on': 'never' },
  };
  const { failed, steps } = await runAction(run);
  expect([failed, steps.map(({ id }) => id)]).toEqual([false, ['install', 'run', 'verdict']]);
  expect(readdirSync(join(run.folder, 'sonde-report')).sort()).toEqual(REPORTS);
});

test('the action refuses a mode without its URLs', async () => {
  const { failed, steps } = await runAction({ ...workspace(), inputs: { mode: 'audit' } });
  expect([failed, steps.at(-1)]).toMatchObject([
    true,
    { id: 'run', code: 2, stderr: 'mode audit needs url\n' },
  ]);
});

test.each([
  ['compare', 1],
  ['audit', 0],
])('the GitLab example: the job %s', async (name, exit) => {
  const { folder } = workspace();
  const { include, ...jobs } = parse(here(read('examples/ci/gitlab.yml')));
  expect(include).toEqual([{ remote: expect.stringMatching(/\/ci\/gitlab\.yml$/) }]);
  const job = gitlabJob({ ...parse(read('ci/gitlab.yml')), ...jobs }, name);
  const { code, stdout, stderr, artifacts } = await runGitlabJob(job, {
    folder,
    env: {
      SONDE_REPOSITORY: `file://${action}`,
      SAMPLES: '1',
      PAGES: '1',
      ALLOW_PRIVATE: `${sites.staging}\n${sites.production}`,
    },
  });
  expect([code, code === exit ? '' : stdout + stderr]).toEqual([exit, '']);
  expect(readdirSync(join(folder, 'sonde-report')).sort()).toEqual(REPORTS);
  expect(artifacts.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});
