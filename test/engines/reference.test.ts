/** What the reference and the manual page show is real. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { activeProbeProvider } from '../../src/runtimes/node/probe.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('the example of a failed probe is a real one', async () => {
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(read('docs/reference/errors.md')) ?? [];
  const { result } = await activeProbeProvider.probe('http://127.0.0.1/');
  expect(JSON.parse(JSON.stringify(result))).toMatchObject(JSON.parse(shown));
});

const hasGroff = spawnSync('groff', ['--version']).status === 0;

if (hasGroff) {
  test('the manual page is formatted without a warning', () => {
    // Plain text: without colours, overstriking and underlining.
    const args = ['-man', '-Tascii', '-ww', '-P-c', '-P-b', '-P-u', join(ROOT, 'docs/man/sonde.1')];
    const { status, stdout, stderr } = spawnSync('groff', args, { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    for (const word of ['sonde stream list', '--allow-private', 'EXIT STATUS'])
      expect(stdout).toContain(word);
  });
} else {
  test('groff is not installed, so the manual page was not formatted', () => {
    expect(read('docs/man/sonde.1')).toMatch(/^\.SH NAME$/m);
  });
}
