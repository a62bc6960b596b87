/**
 * Resolves names over HTTPS, in the JSON format of public resolvers, because the platform offers no DNS. Both address
 * families are queried, and the policy judges every address. Addresses are cached for their time to live, at most a
 * minute. The platform resolves the name again when it connects, so a fresh lookup here would protect nothing and cost
 * two requests before each hop.
 */
import { SondeError } from '../../../errors.js';
import { parseAddress, type Resolver } from '../../../net/index.js';

const LOCALHOST = ['127.0.0.1', '::1'];
const ANSWER_CHARS_MAX = 65_536;
/** The numbers of the record types A and AAAA. */
const FAMILIES = [1, 28] as const;

const CACHED_MS_MAX = 60_000;
const NAMES_MAX = 1_000;

interface Addresses {
  readonly addresses: readonly string[];
  /** The shortest time to live among the records. */
  readonly ttlMs: number;
}

/** Cached addresses by resolver and name, shared by everything in one isolate. */
const cached = new Map<string, { readonly addresses: readonly string[]; readonly until: number }>();

export function createDohResolver(endpoint: string): Resolver {
  return {
    async resolve({ host, lifted }, signal) {
      // As on Node: only an allowed private origin may use this name.
      if (lifted && host === 'localhost') return LOCALHOST;
      const key = `${endpoint} ${host}`;
      const known = cached.get(key);
      if (known && known.until > Date.now()) return known.addresses;
      const { addresses, ttlMs } = await lookUp(endpoint, host, signal);
      cache(key, addresses, Math.min(ttlMs, CACHED_MS_MAX));
      return addresses;
    },
  };
}

function cache(key: string, addresses: readonly string[], ms: number): void {
  cached.delete(key);
  const [oldest] = cached.keys();
  if (cached.size >= NAMES_MAX && oldest !== undefined) cached.delete(oldest);
  if (ms > 0) cached.set(key, { addresses, until: Date.now() + ms });
}

async function lookUp(endpoint: string, host: string, signal: AbortSignal): Promise<Addresses> {
  const settled = await Promise.allSettled(FAMILIES.map((type) => query(endpoint, { host, type }, signal)));
  signal.throwIfAborted();
  const responses = settled.flatMap((response) => (response.status === 'fulfilled' ? [response.value] : []));
  const addresses = responses.flatMap((response) => response.addresses);
  const failed = settled.find((response) => response.status === 'rejected');
  if (addresses.length === 0)
    throw new SondeError('dns_error', `${host} has no address`, { cause: failed?.reason });
  // An incomplete answer is not cached: the other family may differ.
  return { addresses, ttlMs: failed ? 0 : Math.min(...responses.map(({ ttlMs }) => ttlMs)) };
}

async function query(
  endpoint: string,
  { host, type }: { readonly host: string; readonly type: number },
  signal: AbortSignal,
): Promise<Addresses> {
  const url = new URL(endpoint);
  url.searchParams.set('name', host);
  url.searchParams.set('type', String(type));
  const response = await fetch(url, {
    headers: { accept: 'application/dns-json' },
    redirect: 'manual',
    signal,
  });
  if (response.status !== 200)
    throw new SondeError('dns_error', `the resolver responded with ${response.status}`);
  const text = await response.text();
  if (text.length > ANSWER_CHARS_MAX)
    throw new SondeError('dns_error', "the resolver's response is too long");
  return addressesIn(JSON.parse(text), type);
}

function addressesIn(response: unknown, type: number): Addresses {
  const answer = (response as { Answer?: unknown } | null)?.Answer;
  const records = Array.isArray(answer)
    ? (answer as { type?: unknown; data?: unknown; TTL?: unknown }[])
    : [];
  const addresses = records
    .filter((record) => record?.type === type)
    .map(({ data }) => {
      if (typeof data === 'string' && parseAddress(data)) return data;
      throw new SondeError('dns_error', 'the resolver returned something that is not an address');
    });
  // The TTLs of aliases count too. A family without records does not shorten the TTL of the other.
  const ttls = records.map((record) => (typeof record?.TTL === 'number' ? record.TTL * 1000 : 0));
  return { addresses, ttlMs: ttls.length > 0 ? Math.min(...ttls) : CACHED_MS_MAX };
}
