/** What the baseline files of comparisons and audits share: how they are read, and how long they accept findings. */
import { parseJson } from '../config/parse-json.js';
import { SondeError } from '../errors.js';
import type { Files } from './ports.js';

const BYTES_MAX = 16 * 1024 * 1024;
const ACCEPTED_DAYS = 90;
const DAY_MS = 86_400_000;

export async function readAcceptedFile(files: Files, name: string): Promise<unknown> {
  const parsed = parseJson(await files.readText(name, { bytesMax: BYTES_MAX }));
  if (parsed.ok) return parsed.value;
  throw new SondeError('USAGE', `${name}:${parsed.line}:${parsed.column} is not valid JSON`);
}

/** The last day, of findings that were observed at this time. */
export function acceptedUntil(observedAtMs: number): string {
  return new Date(observedAtMs + ACCEPTED_DAYS * DAY_MS).toISOString().slice(0, 10);
}
