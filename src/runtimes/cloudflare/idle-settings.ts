/**
 * Settings that have no effect at the edge. Setting one is refused with the reason, so that nobody relies on a limit
 * that is not enforced.
 */
import { configError } from '../../config/config-problem.js';
import type { ResolvedSettings } from '../../config/resolve-settings.js';

const LISTENS = 'the platform accepts and closes connections';
const DIALS = 'the platform opens connections, with its own DNS and certificates';
const QUEUES = 'the platform runs comparisons and audits';

export const IDLE_SETTINGS: Readonly<Partial<Record<keyof ResolvedSettings['origins'], string>>> = {
  'server.host': LISTENS,
  'server.port': LISTENS,
  'server.headerBytesMax': LISTENS,
  'server.connectionsMax': LISTENS,
  'server.drainMs': LISTENS,
  'server.data': 'state is kept in objects and a bucket',
  'server.trustProxy': 'the peer is always the platform, which reports the client address',
  'auth.jwks': 'tokens are verified with a shared secret at the edge',
  'net.ca': DIALS,
  'net.connectTo': DIALS,
  'net.dnsServers': `${DIALS}; SONDE_DOH_URL sets the resolver for the check beforehand`,
  'proxy.streamsMax': 'each stream has its own object, and they are not counted together',
  'compare.retentionMs': 'each pair has its own object, which keeps its newest comparisons (compare.kept)',
  'jobs.databaseUrl': QUEUES,
  'jobs.concurrency': QUEUES,
  'jobs.leaseMs': QUEUES,
  'jobs.pollMs': QUEUES,
  'client.server': 'a Worker is not a client',
  'client.token': 'a Worker is not a client',
  'log.format': 'log lines are always JSON',
};

export function refuseUnsupported(origins: ResolvedSettings['origins']): void {
  const given = Object.entries(IDLE_SETTINGS).flatMap(([key, why]) => {
    const origin = origins[key as keyof typeof origins];
    const message = `${key}: has no effect at the edge: ${why} (${origin})`;
    return origin === 'default' ? [] : [{ code: 'CONFIG_INVALID_VALUE' as const, message }];
  });
  if (given.length > 0) throw configError(given);
}
