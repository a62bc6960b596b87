/**
 * Resolves names with c-ares, which has its own sockets and timeout, and uses no thread pool, search domains or hosts
 * file. `localhost` and names in the hosts file work only for allowed private origins. Each lookup has its own channel,
 * so cancelling one does not affect another.
 */
import { Resolver as CaresChannel } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { SondeError } from '../../../errors.js';
import type { Resolver, Target } from '../../../net/index.js';
import { toNetError } from './net-errors.js';

export interface CaresOptions {
  /** `address` or `address:port`; the system's servers by default. */
  readonly servers?: readonly string[] | undefined;
  readonly timeoutMs?: number;
  readonly tries?: number;
  readonly hostsFile?: string;
}

const LOCALHOST = ['127.0.0.1', '::1'];

export function createCaresResolver(options: CaresOptions = {}): Resolver {
  const { hostsFile = '/etc/hosts' } = options;
  return {
    async resolve(target, signal) {
      const local = target.lifted ? await localAddresses(target, hostsFile) : [];
      if (local.length > 0) return local;
      return queryDns(options, signal, (channel) => lookUp(channel, target.host));
    },
  };
}

/** Runs queries on their own channel until the signal is aborted. */
export async function queryDns<T>(
  { servers = [], timeoutMs = 2000, tries = 2 }: Omit<CaresOptions, 'hostsFile'>,
  signal: AbortSignal,
  query: (channel: CaresChannel) => Promise<T>,
): Promise<T> {
  const channel = new CaresChannel({ timeout: timeoutMs, tries });
  if (servers.length > 0) channel.setServers([...servers]);
  const cancel = () => channel.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await query(channel);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function lookUp(channel: CaresChannel, host: string): Promise<readonly string[]> {
  const [v4, v6] = await Promise.allSettled([channel.resolve4(host), channel.resolve6(host)]);
  const found = [v4, v6].flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
  if (found.length > 0) return found;
  if (v4.status === 'rejected') throw toNetError(v4.reason, 'dns');
  throw new SondeError('dns_error', `${host} has no address`);
}

async function localAddresses(target: Target, hostsFile: string): Promise<readonly string[]> {
  if (target.host === 'localhost') return LOCALHOST;
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/);
    return address && names.includes(target.host) ? [address] : [];
  });
}
