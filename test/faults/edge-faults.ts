/**
 * All faults of the edge: workerd is killed and restarted on its state, or objects are aborted in a running workerd,
 * each during appends, piping and running Workflows. The faults are divided evenly over these six.
 */
import { ABORTED_EDGE, KILLED_EDGE } from '../support/edge-victims.js';
import { cutRuns } from './edge-runs.js';
import { killWhilePiping } from './proxy-kill.js';
import { killRepeatedly } from './streams-kill.js';

export interface EdgeFault {
  readonly name: string;
  readonly times: number;
  run(): Promise<Record<string, number>>;
}

interface EdgeFaultOptions {
  /** Also creates runs at the moment of the fault; takes half a minute longer. */
  readonly strays: boolean;
}

const FAULTS: readonly [string, (times: number, options: EdgeFaultOptions) => Promise<object>][] = [
  ['workerd killed during appends', (times) => killRepeatedly(times, KILLED_EDGE)],
  ['objects aborted during appends', (times) => killRepeatedly(times, ABORTED_EDGE)],
  ['workerd killed during piping', (times) => killWhilePiping(times, KILLED_EDGE)],
  ['objects aborted during piping', (times) => killWhilePiping(times, ABORTED_EDGE)],
  ['workerd killed during running Workflows', (times, options) => cutRuns(times, 'kill', options)],
  ['objects aborted during running Workflows', (times, options) => cutRuns(times, 'abort', options)],
];

/** Divides this many faults evenly. */
export function edgeFaults(total: number, options: EdgeFaultOptions): EdgeFault[] {
  return FAULTS.map(([name, run], index) => {
    const times = Math.floor(total / FAULTS.length) + (index < total % FAULTS.length ? 1 : 0);
    return { name, times, run: async () => ({ times, ...(await run(times, options)) }) };
  });
}
