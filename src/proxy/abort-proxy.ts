/** PATCH `?action=abort`: stops the upstream. What came before stays readable; doing it again changes nothing. */
import { SondeError } from '../errors.js';
import type { StreamAnswer } from '../streams/index.js';
import { streamIdOfProxy } from './proxy-metadata.js';
import type { ProxyParts } from './proxy-parts.js';

export async function abortProxy(
  parts: ProxyParts,
  id: string,
  query: URLSearchParams,
): Promise<StreamAnswer> {
  if (query.get('action') !== 'abort') {
    throw new SondeError('INVALID_ACTION', 'The query parameter action names what to do; supported: abort.', {
      details: { supported: ['abort'] },
    });
  }
  await parts.pumps.stop(streamIdOfProxy(id));
  return { status: 204, headers: {} };
}
