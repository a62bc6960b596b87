/** The GitHub action's script, run as the runner would: annotations on stdout, a summary, reports, the exit code. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openDemo } from '../../src/cli/demo/open-demo.js';
import { listenLocally } from '../../src/runtimes/node/listen-locally.js';
import { finished, folderWith, PROGRAM } from './cli-process.js';

interface Action {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { env: Record<string, string>; run: string }[] };
}

const action = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8')) as Action;

test('compares, annotates, summarises and fails', async () => {
  const sites = await openDemo({ listenLocally });
  try {
    const folder = folderWith({ 'paths.txt': '/account\n/health\n', summary: '', output: '' });
    const [step] = action.runs.steps;
    const inputs: Record<string, string> = {
      left: sites.staging,
      right: sites.production,
      paths: 'paths.txt',
      samples: '1',
    };
    const env = Object.fromEntries(
      Object.entries(step?.env ?? {}).map(([name, text]) => {
        const input = /inputs\.([\w-]+)/.exec(text)?.[1] ?? '';
        return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
      }),
    );
    const child = spawn('bash', ['-c', step?.run ?? ''], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'] ?? '',
        ...env,
        GITHUB_OUTPUT: join(folder, 'output'),
        GITHUB_STEP_SUMMARY: join(folder, 'summary'),
        COMPARE_COMMAND: `${process.execPath} ${PROGRAM}`,
        SONDE_ALLOW_PRIVATE: `${sites.staging},${sites.production}`,
      },
    });
    const { code, stdout } = await finished(child);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error title=AUTH_GATE_DRIFT on 1 of 2 paths%3A \/account::/m);
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toMatch(/^## Sonde: 🔴 fail/);
    expect(readFileSync(join(folder, 'output'), 'utf8')).toBe('report=sonde-report\n');
    expect(readdirSync(join(folder, 'sonde-report')).sort()).toEqual([
      'report.html',
      'report.json',
      'report.md',
      'report.sarif',
      'report.xml',
    ]);
  } finally {
    await sites.close();
  }
});
