/**
 * Names to addresses over HTTPS, in the JSON form that public resolvers share: the platform shows no DNS of its
 * own. Both families are queried, and every address of the response is judged. Addresses are kept for their
 * time to live, at most a minute: the platform looks the name up again when it connects, so a fresh lookup here would
 * protect nothing and cost two requests before each hop.
 */
import { SondeError } from '../../../errors.js';
import { parseAddress, type Resolver } from '../../../net/index.js';

const LOCALHOST = ['127.0.0.1', '::1'];
const ANSWER_CHARS_MAX = 65_536;
/** The numbers of the record types A and AAAA. */
const FAMILIES = [1, 28] as const;

const KEPT_MS_MAX = 60_000;
const NAMES_KEPT = 1_000;

interface Addresses {
  readonly addresses: readonly string[];
  /** The shortest time to live among the records. */
  readonly ttlMs: number;
}

/** Addresses by resolver and name, of everything that runs in one isolate. */
const kept = new Map<string, { readonly addresses: readonly string[]; readonly until: number }>();

export function createDohResolver(endpoint: string): Resolver {
  return {
    async resolve({ host, lifted }, signal) {
      // As on a machine: only an opened origin may be named by it.
      if (lifted && host === 'localhost') return LOCALHOST;
      const key = `${endpoint} ${host}`;
      const known = kept.get(key);
      if (known && known.until > Date.now()) return known.addresses;
      const { addresses, ttlMs } = await lookUp(endpoint, host, signal);
      keep(key, addresses, Math.min(ttlMs, KEPT_MS_MAX));
      return addresses;
    },
  };
}

function keep(key: string, addresses: readonly string[], ms: number): void {
  kept.delete(key);
  const [oldest] = kept.keys();
  if (kept.size >= NAMES_KEPT && oldest !== undefined) kept.delete(oldest);
  if (ms > 0) kept.set(key, { addresses, until: Date.now() + ms });
}

async function lookUp(endpoint: string, host: string, signal: AbortSignal): Promise<Addresses> {
  const asked = await Promise.allSettled(FAMILIES.map((type) => ask(endpoint, { host, type }, signal)));
  signal.throwIfAborted();
  const responses = asked.flatMap((response) => (response.status === 'fulfilled' ? [response.value] : []));
  const addresses = responses.flatMap((response) => response.addresses);
  const failed = asked.find((response) => response.status === 'rejected');
  if (addresses.length === 0)
    throw new SondeError('dns_error', `${host} has no address`, { cause: failed?.reason });
  // An incomplete answer is not cached: the other family may differ.
  return { addresses, ttlMs: failed ? 0 : Math.min(...responses.map(({ ttlMs }) => ttlMs)) };
}

async function ask(
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
  // Aliases on the way count too. A family without records does not shorten the other's time.
  const ttls = records.map((record) => (typeof record?.TTL === 'number' ? record.TTL * 1000 : 0));
  return { addresses, ttlMs: ttls.length > 0 ? Math.min(...ttls) : KEPT_MS_MAX };
}
