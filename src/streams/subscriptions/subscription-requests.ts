/**
 * Parses the JSON bodies of subscription requests. Unknown fields are ignored, as in other servers of the protocol. A
 * field of the wrong type or beyond its limit is refused with an error that names it.
 */
import { SondeError } from '../../errors.js';
import { parseJson } from '../../parse-json.js';
import type { WakeName } from './decide-wake.js';
import { readPattern, readStreamPath } from './stream-path.js';
import { CHARS_MAX, LEASE_MS, SUBSCRIPTION_BODY_BYTES_MAX } from './subscription-limits.js';
import type { SubscriptionConfig } from './subscription-store.js';

export interface CreateRequest
  extends Pick<SubscriptionConfig, 'mode' | 'pattern' | 'wakeStream' | 'leaseMs' | 'description'> {
  readonly streams: readonly string[];
  readonly webhookUrl: string | null;
}

export interface AckRequest extends WakeName {
  readonly acks: readonly { readonly path: string; readonly offset: string }[];
  readonly done: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** The JSON object of a body; an empty body is an empty object. */
export function readFields(body: Uint8Array): Fields {
  if (body.length > SUBSCRIPTION_BODY_BYTES_MAX) {
    const message = `the body is larger than the limit of ${SUBSCRIPTION_BODY_BYTES_MAX} bytes`;
    throw new SondeError('BODY_TOO_LARGE', message, { details: { bytesMax: SUBSCRIPTION_BODY_BYTES_MAX } });
  }
  if (body.length === 0) return {};
  const parsed = parseJson(new TextDecoder().decode(body));
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Fields;
  throw invalid('the body must be a JSON object');
}

export function readCreate(fields: Fields, streamsMax: number): CreateRequest {
  const mode = fields['type'];
  if (mode !== 'webhook' && mode !== 'pull-wake') throw invalid('type must be "webhook" or "pull-wake"');
  const { pattern: patternText, streams: named = [] } = fields;
  const pattern = isAbsent(patternText)
    ? null
    : readPattern(readText(patternText, 'pattern', 'pattern')).text;
  const streams = readPaths(named, streamsMax);
  if (pattern === null && streams.length === 0) throw invalid('pattern, streams or both are required');
  const { wake_stream: wakeStream, description } = fields;
  if (mode === 'pull-wake' && isAbsent(wakeStream))
    throw invalid('a pull-wake subscription needs wake_stream');
  return {
    mode,
    pattern,
    streams,
    webhookUrl: mode === 'webhook' ? readUrl(fields['webhook']) : null,
    wakeStream: mode === 'pull-wake' ? readStreamPath(wakeStream, 'wake_stream') : null,
    leaseMs: readLease(fields['lease_ttl_ms']),
    description: description === undefined ? null : readText(description, 'description', 'description'),
  };
}

export function readStreams(fields: Fields, streamsMax: number): readonly string[] {
  return readPaths(fields['streams'], streamsMax);
}

export function readWorker(fields: Fields): string {
  const worker = readText(fields['worker'], 'worker', 'worker');
  if (worker === '') throw invalid('worker must be a non-empty string');
  return worker;
}

export function readAcks(fields: Fields, acksMax: number): AckRequest {
  const { acks = [], done } = fields;
  if (!Array.isArray(acks)) throw invalid('acks must be an array');
  if (acks.length > acksMax) throw tooLarge(`a request can have at most ${acksMax} acks`, acksMax);
  return { ...readWakeName(fields), acks: acks.map(readAck), done: done === true };
}

/** A missing name is replaced by one that no wake has, so the request is refused as stale, not as malformed. */
export function readWakeName({ wake_id: wakeId, generation }: Fields): WakeName {
  return {
    wakeId: typeof wakeId === 'string' ? wakeId : '',
    generation: typeof generation === 'number' ? generation : -1,
  };
}

export function tooLarge(message: string, max: number): SondeError {
  return new SondeError('SUBSCRIPTION_TOO_LARGE', message, { details: { max } });
}

function readAck(entry: unknown): { path: string; offset: string } {
  const fields = typeof entry === 'object' && entry !== null ? (entry as Fields) : {};
  const { stream = fields['path'], offset } = fields;
  if (typeof offset !== 'string') throw invalid('every ack needs the offset it acknowledges');
  return { path: readStreamPath(stream, 'acks'), offset };
}

function readPaths(value: unknown, max: number): readonly string[] {
  if (!Array.isArray(value)) throw invalid('streams must be an array of paths');
  if (value.length > max) throw tooLarge(`a request can name at most ${max} streams`, max);
  return [...new Set(value.map((path) => readStreamPath(path, 'streams')))].sort();
}

function readUrl(webhook: unknown): string {
  const url = typeof webhook === 'object' && webhook !== null ? (webhook as Fields)['url'] : undefined;
  if (typeof url !== 'string' || url === '') throw invalid('a webhook subscription needs webhook.url');
  return readText(url, 'webhook.url', 'url');
}

function readLease(value: unknown): number {
  if (value === undefined) return LEASE_MS.fallback;
  const ms = Number.isInteger(value) ? (value as number) : Number.NaN;
  if (ms >= LEASE_MS.min && ms <= LEASE_MS.max) return ms;
  throw invalid(`lease_ttl_ms must be a whole number from ${LEASE_MS.min} to ${LEASE_MS.max}`);
}

function readText(value: unknown, name: string, bound: keyof typeof CHARS_MAX): string {
  if (typeof value === 'string' && value.length <= CHARS_MAX[bound]) return value;
  throw invalid(`${name} must be a string of at most ${CHARS_MAX[bound]} characters`);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function invalid(message: string): SondeError {
  return new SondeError('INVALID_REQUEST', message);
}
