/** `sonde rm …`: deletes an audit, a comparison, a pair, a suite or a job on a server, with everything it contains. */
import type { Command } from 'commander';
import { SondeError } from '../../errors.js';
import type { Scope } from '../../scopes.js';
import { type CliContext, printResult } from '../cli-context.js';
import { addJobsCommand, JOB_ID, JOB_SCOPES } from '../jobs-client.js';
import { loadSettings } from '../load-settings.js';

interface Removable {
  readonly name: string;
  readonly about: string;
  readonly id: RegExp;
  readonly route: string;
  readonly scope: Scope | readonly Scope[];
}

const REMOVABLES: readonly Removable[] = [
  {
    name: 'audit',
    about: 'delete an audit with its report, its job and its events',
    id: JOB_ID,
    route: '/api/audits',
    scope: 'audit:write',
  },
  {
    name: 'comparison',
    about: 'delete a comparison with its probes, its job and its events',
    id: /^[0-9a-f]{40}:[0-9a-f-]{36}$/i,
    route: '/api/compare',
    scope: 'compare:write',
  },
  {
    name: 'pair',
    about: 'delete a pair with all its comparisons and its baseline',
    id: /^[0-9a-f]{40}$/i,
    route: '/api/pairs',
    scope: 'compare:write',
  },
  {
    name: 'suite',
    about: 'delete a suite with the comparisons of its paths',
    id: JOB_ID,
    route: '/api/suites',
    scope: 'compare:write',
  },
  {
    name: 'job',
    about: 'delete a job with its events and, if it did an audit, the audit',
    id: JOB_ID,
    route: '/api/jobs',
    scope: JOB_SCOPES.write,
  },
];

export const RM_COMMANDS = REMOVABLES.map(
  (removable) => (parent: Command, context: CliContext) => addRm(parent, context, removable),
);

function addRm(parent: Command, context: CliContext, { name, about, id, route, scope }: Removable): void {
  addJobsCommand(parent, name, about)
    .argument('<ID>', `the ${name === 'pair' ? 'key' : 'id'} of the ${name}`)
    .action(async (given: string, _options: unknown, self: Command) => {
      if (!id.test(given)) throw new SondeError('USAGE', `"${given}" does not name ${article(name)}`);
      const { settings } = await loadSettings(context, self);
      const path = `${route}/${encodeURIComponent(given.toLowerCase())}`;
      await context.runtime.callServer(settings, { method: 'DELETE', path, scope });
      await printResult(context, { [name]: given, deleted: true }, `deleted  ${given}`);
    });
}

function article(name: string): string {
  return name === 'audit' ? 'an audit' : `a ${name}`;
}
