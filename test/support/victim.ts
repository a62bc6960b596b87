import { startBuiltServer } from './built-server.js';

/** A server that fault tests take down again and again, whatever it runs in. */
export interface Victim {
  /** On the state that is in the folder; `allow` opens an upstream for the proxy. */
  start(options: { readonly folder: string; readonly allow?: string }): Promise<RunningVictim>;
  /** Only what holds the streams goes: the server lives on, and responds to calls that were under way with 503. */
  readonly livesOn?: boolean;
  /** How much longer than the embedded engine it is left to work before it is taken down; 1 if not given. */
  readonly pace?: number;
}

export interface RunningVictim {
  readonly url: string;
  /** Takes down what holds these streams. */
  kill(streams: readonly string[]): Promise<void>;
  /** When all is looked at: nothing of it is left. */
  close(): Promise<void>;
}

export const EMBEDDED: Victim = {
  async start({ folder, allow }) {
    const args = allow === undefined ? [] : ['--proxy-allow', allow];
    const { url, kill } = await startBuiltServer({ folder, args });
    return { url, kill, close: kill };
  },
};
