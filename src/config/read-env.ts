/**
 * Reports unknown SONDE_* environment variables. An empty variable counts as not set, because compose files and CI
 * templates often leave empty ones.
 */
import { type ConfigProblem, unknownKey } from './config-problem.js';
import { nearestName } from './nearest-name.js';
import { envName, SETTING_ROWS } from './setting-rows.js';

/** Variables with our prefix that are not settings; other code reads them. */
const NOT_SETTINGS: readonly string[] = ['SONDE_CONFIG', 'SONDE_CHROMIUM', 'SONDE_POSTGRES_BIN'];

const NAMES = SETTING_ROWS.map(envName);

/** Kubernetes adds these to every pod if there is a Service called "sonde". */
const SERVICE_LINK = /^SONDE_(?:SERVICE_HOST|SERVICE_PORT\w*|PORT_\d+_(?:TCP|UDP|SCTP)\w*)$/;
const SERVICE_LINK_HINT = 'Kubernetes sets it for a Service named sonde: use enableServiceLinks: false';

export type Environment = Readonly<Record<string, string | undefined>>;

export function unknownVariables(env: Environment): ConfigProblem[] {
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('SONDE_') && env[name] && !NAMES.includes(name) && !NOT_SETTINGS.includes(name),
  );
  return unknown.map((name) => {
    const near = nearestName(
      name.slice('SONDE_'.length),
      NAMES.map((known) => known.replace(/^SONDE_/, '')),
    );
    const hint = SERVICE_LINK.test(name) ? SERVICE_LINK_HINT : near && `did you mean SONDE_${near}?`;
    return unknownKey({ name, origin: 'environment', hint });
  });
}
