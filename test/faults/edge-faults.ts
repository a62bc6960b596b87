/**
 * Everything that is done to the edge: workerd killed and started again on its state, and objects aborted in a
 * workerd that lives on, each during appends, piping and running Workflows, with as many faults of each of the six.
 */
import { ABORTED_EDGE, KILLED_EDGE } from '../support/edge-victims.js';
import { cutRuns } from './edge-runs.js';
import { killWhilePiping } from './proxy-kill.js';
import { killAgainAndAgain } from './streams-kill.js';

export interface EdgeFault {
  readonly name: string;
  readonly times: number;
  run(): Promise<Record<string, number>>;
}

interface EdgeFaultOptions {
  /** Runs that are created while they are cut off: half a minute longer. */
  readonly strays: boolean;
}

const FAULTS: readonly [string, (times: number, options: EdgeFaultOptions) => Promise<object>][] = [
  ['workerd killed during appends', (times) => killAgainAndAgain(times, KILLED_EDGE)],
  ['objects aborted during appends', (times) => killAgainAndAgain(times, ABORTED_EDGE)],
  ['workerd killed during piping', (times) => killWhilePiping(times, KILLED_EDGE)],
  ['objects aborted during piping', (times) => killWhilePiping(times, ABORTED_EDGE)],
  ['workerd killed during running Workflows', (times, options) => cutRuns(times, 'kill', options)],
  ['objects aborted during running Workflows', (times, options) => cutRuns(times, 'abort', options)],
];

/** So many faults in all. */
export function edgeFaults(total: number, options: EdgeFaultOptions): EdgeFault[] {
  return FAULTS.map(([name, run], index) => {
    const times = Math.floor(total / FAULTS.length) + (index < total % FAULTS.length ? 1 : 0);
    return { name, times, run: async () => ({ times, ...(await run(times, options)) }) };
  });
}
