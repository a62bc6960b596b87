/**
 * Request headers that ask the proxy for something it does not do. They are refused before anything is sent, because a
 * caller who relies on them would not notice that they were ignored.
 */
import { SondeError } from '../errors.js';
import type { ProxyCall } from './upstream-request.js';

interface Unsupported {
  readonly header: string;
  /** The values that are refused; every one if absent. */
  readonly values?: RegExp;
  readonly why: string;
}

const KEPT =
  'every response is stored, for as long as the setting proxy.keepMs says; to delete one sooner, send DELETE /v1/proxy/{id}';

/** About what is stored; for every request. */
const STORING: readonly Unsupported[] = [
  { header: 'Stream-TTL', why: KEPT },
  { header: 'Stream-Expires-At', why: KEPT },
  { header: 'Store', why: KEPT },
  { header: 'Cache-Control', values: /(?:^|[\s,;])no-store(?:$|[\s,;=])/i, why: KEPT },
];

const OF_ROUTE = 'the route decides which upstream is called, and with which credential';

/** Headers of `/v1/proxy` on a route. */
const ADDRESSING: readonly Unsupported[] = ['Upstream-URL', 'Upstream-Method', 'Upstream-Authorization'].map(
  (header) => ({ header, why: OF_ROUTE }),
);

export function refuseUnsupported({ header }: Pick<ProxyCall, 'header'>, way: 'create' | 'route'): void {
  for (const { header: name, values, why } of way === 'route' ? [...STORING, ...ADDRESSING] : STORING) {
    const value = header(name.toLowerCase());
    if (value === null || values?.test(value) === false) continue;
    const shown = values ? `${name}: no-store` : name;
    throw new SondeError(
      'HEADER_NOT_SUPPORTED',
      `The request header ${shown} is not supported: ${why}. Remove the header.`,
      { details: { header: name } },
    );
  }
}
