import { startBuiltServer } from './built-server.js';

/** A server that fault tests take down repeatedly, whatever it runs in. */
export interface Victim {
  /** Starts on the state in the folder; `allow` opens an upstream for the proxy. */
  start(options: { readonly folder: string; readonly allow?: string }): Promise<RunningVictim>;
  /** Only the part that holds the streams goes down: the server keeps running and responds to open calls with 503. */
  readonly livesOn?: boolean;
  /** How much longer than the embedded engine it runs before it is taken down; 1 by default. */
  readonly pace?: number;
}

export interface RunningVictim {
  readonly url: string;
  /** Takes down what holds these streams. */
  kill(streams: readonly string[]): Promise<void>;
  /** Called after the checks; removes everything. */
  close(): Promise<void>;
}

export const EMBEDDED: Victim = {
  async start({ folder, allow }) {
    const args = allow === undefined ? [] : ['--proxy-allow', allow];
    const { url, kill } = await startBuiltServer({ folder, args });
    return { url, kill, close: kill };
  },
};
