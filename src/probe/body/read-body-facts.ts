/**
 * Extracts the facts of a body. The bytes are read up to a limit, hashed, examined and dropped. A body that breaks off
 * after the response head does not fail the probe: what was read counts, and `error` describes how it ended.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { asSondeError, type SondeError } from '../../errors.js';
import { runSteps } from '../../loop-turns.js';
import { concatBytes, type HopBody } from '../../net/index.js';
import { BODY_FACT_LIMITS, type BodyFacts } from '../body-facts.js';
import type { ProbeRedactor } from '../probe-redactor.js';
import { findMarkers } from './find-markers.js';
import { findOrigins } from './find-origins.js';
import { readHtmlFacts } from './html-facts.js';
import { readJsonFacts } from './json-facts.js';
import { bodyKind, bodyText } from './media-kind.js';
import { normalizeText } from './normalize-text.js';
import { lineFacts } from './page-text.js';

export interface BodyReading {
  readonly contentType: string | undefined;
  readonly finalUrl: string;
  /** The side's own hosts, with their ports. */
  readonly hosts: readonly string[];
  readonly redactor: ProbeRedactor;
  readonly sha256?: BytesHash;
}

/** Returns the SHA-256 of bytes in hex; a platform with a native hash provides its own. */
export type BytesHash = (bytes: Uint8Array) => string;

export const portableSha256: BytesHash = (bytes) => bytesToHex(sha256(bytes));

export interface DrainedBody {
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
  readonly wireBytes?: number;
  readonly error?: SondeError;
}

/** Never rejects. */
export async function drainBody(
  body: HopBody,
  bytesMax: number = BODY_FACT_LIMITS.bodyBytes,
): Promise<DrainedBody> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const drained = (rest: { truncated: boolean; error?: SondeError }): DrainedBody => {
    const wireBytes = body.wireBytes?.();
    return { bytes: concatBytes(pieces), ...rest, ...(wireBytes !== undefined && { wireBytes }) };
  };
  try {
    for (let piece = await body.read(); piece; piece = await body.read()) {
      const room = bytesMax - length;
      pieces.push(piece.length > room ? piece.subarray(0, room) : piece);
      length += piece.length;
      if (length > bytesMax) {
        body.cancel();
        return drained({ truncated: true });
      }
    }
    return drained({ truncated: false });
  } catch (thrown) {
    body.cancel();
    return drained({ truncated: true, error: asSondeError(thrown, 'fetch_error') });
  }
}

/** `hash` is the hash of the bytes, if the caller already has it. */
export function readBodyFacts(drained: DrainedBody, reading: BodyReading, hash?: string): BodyFacts {
  return runSteps(bodyFactsInSteps(drained, reading, hash));
}

/** The same in steps, so that the caller can yield to the event loop in between. */
export function* bodyFactsInSteps(
  drained: DrainedBody,
  reading: BodyReading,
  hash?: string,
): Generator<void, BodyFacts> {
  const { bytes, truncated, wireBytes, error } = drained;
  const { redactor, sha256: hashOf = portableSha256 } = reading;
  const kind = bodyKind(reading.contentType, bytes);
  const facts = {
    bytes: bytes.length,
    truncated,
    ...(wireBytes !== undefined && { wireBytes }),
    kind,
    ...(error && { error: { code: error.code, message: redactor.text(error.message) } }),
    ...(!truncated && { sha256: hash ?? hashOf(bytes) }),
  };
  if (kind === 'binary' || kind === 'empty') return facts;
  const text = bodyText(reading.contentType, bytes);
  yield;
  const json = kind === 'json' && !truncated ? readJsonFacts(text, redactor) : undefined;
  yield;
  const markers = findMarkers(text, kind);
  yield;
  const normal = truncated ? undefined : normalizeText(text, reading.hosts);
  yield;
  const page =
    kind === 'html' ? yield* readHtmlFacts(text, { url: reading.finalUrl, ...reading }) : undefined;
  return {
    origins: findOrigins(text),
    ...facts,
    ...(normal !== undefined && {
      normalizedSha256: hashOf(utf8ToBytes(normal)),
      normalizedChars: normal.length,
    }),
    ...(json && { json }),
    ...page,
    ...(kind === 'text' && { text: lineFacts(text, reading) }),
    ...(markers.length > 0 && { markers }),
  };
}
