/**
 * Names to addresses over HTTPS, in the JSON form that public resolvers share: the platform shows no DNS of its
 * own. Both families are asked for, and every address of the response is given to be judged.
 */
import { SondeError } from '../../../errors.js';
import { parseAddress, type Resolver } from '../../../net/index.js';

const LOCALHOST = ['127.0.0.1', '::1'];
const ANSWER_CHARS_MAX = 65_536;
/** The numbers of the record types A and AAAA. */
const FAMILIES = [1, 28] as const;

export function createDohResolver(endpoint: string): Resolver {
  return {
    async resolve({ host, lifted }, signal) {
      // As on a machine: only an opened origin may be named by it.
      if (lifted && host === 'localhost') return LOCALHOST;
      const asked = await Promise.allSettled(FAMILIES.map((type) => ask(endpoint, { host, type }, signal)));
      signal.throwIfAborted();
      const found = asked.flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
      if (found.length > 0) return found;
      const failed = asked.find((response) => response.status === 'rejected');
      throw new SondeError('dns_error', `${host} has no address`, { cause: failed?.reason });
    },
  };
}

async function ask(
  endpoint: string,
  { host, type }: { readonly host: string; readonly type: number },
  signal: AbortSignal,
): Promise<readonly string[]> {
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

function addressesIn(response: unknown, type: number): readonly string[] {
  const records = (response as { Answer?: unknown } | null)?.Answer;
  if (!Array.isArray(records)) return [];
  return (records as { type?: unknown; data?: unknown }[])
    .filter((record) => record?.type === type)
    .map(({ data }) => {
      if (typeof data === 'string' && parseAddress(data)) return data;
      throw new SondeError('dns_error', 'the resolver returned something that is not an address');
    });
}
