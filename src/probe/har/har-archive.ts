/**
 * Reads a HAR file as a stream within fixed limits and keeps redacted records. The credentials of a recorded request
 * are hidden in that entry and in all entries after it.
 */
import { createRedactor, type HeaderList } from '../../net/index.js';
import { ProbeRedactor } from '../probe-redactor.js';
import { type HarCreator, type HarEntry, harEntrySchema, readCreator } from './har-entry.js';
import { type HarRecord, headerList, toRecord } from './har-record.js';
import { HAR_LIMITS, type HarLimits, HarScanner, invalid } from './har-scanner.js';

export interface HarArchive {
  readonly creator: HarCreator;
  /** The recorder strips credentials and the file has none, so it is unknown whether the site sets cookies. */
  readonly sanitized: boolean;
  readonly records: readonly HarRecord[];
}

/** Throws `HAR_INVALID` with the limit that was hit or the fault that was found. */
export async function readHar(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits: HarLimits = HAR_LIMITS,
): Promise<HarArchive> {
  const collector = new RecordCollector();
  const scanner = new HarScanner(collector, limits);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limits.bytesMax) throw invalid(`it has more than ${limits.bytesMax} bytes`);
    scanner.write(decodeUtf8(() => decoder.decode(chunk, { stream: true })));
  }
  scanner.write(decodeUtf8(() => decoder.decode()));
  scanner.end();
  return collector.archive();
}

function decodeUtf8(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw invalid('it is not UTF-8 text', cause);
  }
}

const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'x-auth-token']);
const SECRETS_MAX = 500;

class RecordCollector {
  readonly #records: HarRecord[] = [];
  readonly #sent: [string, string][] = [];
  readonly #known = new Set<string>();
  #redactor = new ProbeRedactor();
  #creator: HarCreator = { name: '', version: '' };
  #sawCredentials = false;

  member(name: string, value: unknown): void {
    if (name === 'creator') this.#creator = readCreator(value);
  }

  entry(value: unknown): void {
    const parsed = harEntrySchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw invalid(
        `entry ${this.#records.length + 1}: ${issue?.path.map(String).join('.') ?? ''} is missing`,
      );
    }
    this.#learn(parsed.data);
    this.#records.push(toRecord(parsed.data, this.#redactor));
  }

  archive(): HarArchive {
    const { name, version } = this.#creator;
    const plain = createRedactor();
    return {
      creator: { name: plain.truncated(name, 100), version: plain.truncated(version, 100) },
      // Chrome's recorder; its default export omits credentials without marking it.
      sanitized: name === 'WebInspector' && !this.#sawCredentials,
      records: this.#records,
    };
  }

  #learn({ request, response }: HarEntry): void {
    const sent: HeaderList = headerList(request.headers).filter(([name]) => CREDENTIALS.has(name));
    const cookies = response.headers.some(({ name }) => name.toLowerCase() === 'set-cookie');
    this.#sawCredentials ||=
      sent.length > 0 || cookies || response.cookies.length + request.cookies.length > 0;
    const fresh = sent.filter(([, value]) => !this.#known.has(value));
    if (fresh.length === 0 || this.#known.size >= SECRETS_MAX) return;
    for (const [name, value] of fresh) {
      this.#known.add(value);
      this.#sent.push([name, value]);
    }
    this.#redactor = new ProbeRedactor(this.#sent);
  }
}
