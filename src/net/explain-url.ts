/** The result of `sonde net check` for a URL: allowed or refused, at which step, by which rule. */
import { asSondeError } from '../errors.js';
import type { Resolver } from './egress.js';
import type { Policy } from './policy.js';
import type { RefusalStep } from './refusal.js';

export interface UrlExplanation {
  readonly url: string;
  readonly verdict: 'allowed' | 'refused' | 'unresolved';
  /** The step that decided; for an allowed URL, the last step. */
  readonly step: RefusalStep;
  readonly code?: string;
  readonly rule?: string;
  readonly message: string;
  /** The addresses that the name resolved to, or the one that is dialled without DNS. */
  readonly addresses: readonly string[];
}

export async function explainUrl(policy: Policy, resolver: Resolver, url: string): Promise<UrlExplanation> {
  const judged = policy.judgeUrl(url);
  if (!judged.ok) return { url, verdict: 'refused', addresses: [], ...judged.refusal };
  const { target } = judged;
  const shown = { url: target.url.href };
  const allowed = { ...shown, verdict: 'allowed' } as const;
  if (target.fixed) {
    const addresses = [target.fixed.address];
    return { ...allowed, step: 'address', message: 'the address may be reached', addresses };
  }
  let addresses: readonly string[];
  try {
    addresses = await resolver.resolve(target, new AbortController().signal);
  } catch (thrown) {
    const { code, message } = asSondeError(thrown, 'dns_error');
    return { ...shown, verdict: 'unresolved', step: 'dns', code, message, addresses: [] };
  }
  const refusal = policy.judgeResponse(target, addresses);
  if (refusal) return { ...shown, verdict: 'refused', addresses, ...refusal };
  return { ...allowed, step: 'dns', message: 'every address may be reached', addresses };
}
