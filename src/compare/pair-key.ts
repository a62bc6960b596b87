/**
 * The key of a pair of URLs: directional, since left and right mean something, and over length-prefixed canonical
 * spellings, so that neither a `|` in a URL nor a trailing slash can make two pairs one or one pair two.
 */
import { canonicalUrl, hashParts } from '../net/index.js';

export interface PairIdentity {
  readonly tenantId: string;
  readonly leftUrl: string;
  readonly rightUrl: string;
}

const HEX_DIGITS = 40;

export function pairKeyOf({ tenantId, leftUrl, rightUrl }: PairIdentity): string {
  return hashParts([tenantId, canonicalUrl(leftUrl), canonicalUrl(rightUrl)]).slice(0, HEX_DIGITS);
}

/** `${pairKey}:${uuid}`; the part before the colon finds the pair again. */
export function comparisonIdOf(pairKey: string, uuid: string): string {
  return `${pairKey}:${uuid}`;
}

export function pairKeyIn(comparisonId: string): string | undefined {
  return /^([0-9a-f]{40}):[0-9a-f-]{36}$/.exec(comparisonId)?.[1];
}

/** A comparison's own job has the id behind the pair's key; one of a suite has no job. */
export function jobIdIn(comparisonId: string): string {
  return comparisonId.slice(comparisonId.indexOf(':') + 1);
}
