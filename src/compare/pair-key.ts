/**
 * The key of a pair of URLs. It is directional, and hashes length-prefixed canonical URLs, so that different pairs
 * never collide and different spellings of one pair always match.
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

/** `${pairKey}:${uuid}`; the part before the colon identifies the pair. */
export function comparisonIdOf(pairKey: string, uuid: string): string {
  return `${pairKey}:${uuid}`;
}

export function pairKeyIn(comparisonId: string): string | undefined {
  return /^([0-9a-f]{40}):[0-9a-f-]{36}$/.exec(comparisonId)?.[1];
}

/** The id of a comparison's job is the part after the pair key. Comparisons of a suite have no job of their own. */
export function jobIdIn(comparisonId: string): string {
  return comparisonId.slice(comparisonId.indexOf(':') + 1);
}
