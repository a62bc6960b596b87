import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEdge } from '../../scripts/edge-server.mjs';
import { envName, SETTING_ROWS, type SettingRow } from '../../src/config/setting-rows.js';
import { credentialVariables } from '../../src/proxy/route-credential.js';
import { IDLE_SETTINGS } from '../../src/runtimes/cloudflare/idle-settings.js';
import { settingsOf, type TestOptions } from './serve.js';

export interface ServedEdge {
  readonly url: string;
  /** The folder of its state. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Without authentication or a rate limit, and with a short long-poll. */
export const EDGE_VARIABLES: Readonly<Record<string, string>> = {
  SONDE_SECRET: 'a secret for tests only, 43 characters long',
  SONDE_AUTH: 'none',
  SONDE_RATE_PER_MINUTE: '0',
  SONDE_LONG_POLL_MS: '500',
  SONDE_BODY_BYTES_MAX: '16MiB',
};

function textOf({ takes }: SettingRow, value: unknown): string {
  if (takes === 'list') return (value as readonly string[]).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The variables of a deployment with the same settings. Settings without an effect there are left out. */
export function edgeVariablesOf(options: TestOptions): Record<string, string> {
  const { env, timers, routes = {} } = options.proxy ?? {};
  if (timers) throw new Error('the edge uses the clock of its platform');
  const given: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = settingsOf(options);
  const settings = SETTING_ROWS.flatMap((row: SettingRow) => {
    const [group = '', name = ''] = row.key.split('.');
    const value = given[group]?.[name];
    return value === undefined || row.key in IDLE_SETTINGS
      ? []
      : [[envName(row), textOf(row, value)] as const];
  });
  const keys = Object.values(routes).flatMap(({ credential }) =>
    credentialVariables(credential).flatMap((name) => {
      const key = env?.(name);
      return key ? [[name, key] as const] : [];
    }),
  );
  return Object.fromEntries([...settings, ...keys]);
}

/**
 * Starts the built Worker in workerd on a free port of loopback, without authentication, with state that is removed
 * with it. Without `pages`, it has no landing page, icon or dashboard.
 */
export async function serveEdgeForTest(
  variables: Readonly<Record<string, string>> = {},
  { dataDir, pages = false }: { readonly dataDir?: string | undefined; readonly pages?: boolean } = {},
): Promise<ServedEdge> {
  const stateFolder = dataDir ?? mkdtempSync(join(tmpdir(), 'sonde-edge-'));
  const edge = await startEdge({
    stateFolder,
    pages,
    variables: { ...EDGE_VARIABLES, ...variables },
  });
  return {
    url: edge.url,
    dataDir: stateFolder,
    async stop() {
      await edge.stop();
      if (dataDir === undefined) rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}
