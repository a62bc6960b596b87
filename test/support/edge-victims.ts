/** The edge as a victim: all of workerd is killed, or only the objects of the streams are aborted. */
import { startFaultyEdge } from './faulty-edge.js';
import type { Victim } from './victim.js';

/** A first call has to create the app and the object. */
const PACE = 5;

const variablesOf = (allow?: string) => (allow === undefined ? {} : { SONDE_PROXY_ALLOW: allow });

/** workerd gets a SIGKILL and is restarted on its state. */
export const KILLED_EDGE: Victim = {
  pace: PACE,
  async start({ folder, allow }) {
    const edge = await startFaultyEdge({ folder, variables: variablesOf(allow) });
    return { url: edge.url, kill: () => edge.kill(), close: () => edge.stop() };
  },
};

/** Objects lose their memory while workerd keeps running. */
export const ABORTED_EDGE: Victim = {
  livesOn: true,
  pace: PACE,
  async start({ folder, allow }) {
    const edge = await startFaultyEdge({ folder, variables: variablesOf(allow), abortable: true });
    return {
      url: edge.url,
      kill: async (streams) => void (await Promise.all(streams.map((id) => edge.abort('HotBuffer', id)))),
      close: () => edge.stop(),
    };
  },
};
