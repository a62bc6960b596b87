import { Command } from 'commander';
import { expect, test } from 'vitest';
import { KIND_NAMES } from '../../jobs/index.js';
import type { CliContext } from '../cli-context.js';
import { addJobsList } from './jobs-list.js';

test('the help names every kind of job', () => {
  const parent = new Command('jobs');
  addJobsList(parent, {} as CliContext);
  const help = parent.commands[0]?.options.find(({ long }) => long === '--kind')?.description;
  for (const kind of KIND_NAMES) expect(help).toContain(kind);
});
