/**
 * Response headers as stored in an envelope: the values of the six core families, in profile `full` also those of the
 * extended list, and of all others only the names. Every value is redacted.
 */
import type { HeaderList } from '../net/index.js';
import { setOwn } from '../set-own.js';
import { isExtendedHeader } from './extended-headers.js';
import type { ProbeRedactor } from './probe-redactor.js';
import {
  CORE_HEADER_NAMES,
  type CoreHeaderName,
  type ProbeProfile,
  type ResponseHeaders,
} from './signal-envelope.js';

const CORE: ReadonlySet<string> = new Set(CORE_HEADER_NAMES);
const isCore = (name: string): name is CoreHeaderName => CORE.has(name);
const isAccessControl = (name: string): boolean => name.startsWith('access-control-');

const LINES_MAX = 50;
const NAMES_MAX = 200;
const NAME_CHARS = 100;

export function readHeaders(
  headers: HeaderList,
  profile: ProbeProfile,
  redactor: ProbeRedactor,
): ResponseHeaders {
  const core: Partial<Record<CoreHeaderName, string>> = {};
  const accessControl: Record<string, string> = {};
  const extended: Record<string, string[]> = {};
  const others = new Set<string>();
  for (const [name, raw] of headers) {
    if (isCore(name)) core[name] = joined(core[name], redactor.text(raw));
    else if (isAccessControl(name))
      accessControl[name] = joined(own(accessControl, name), redactor.text(raw));
    else if (profile === 'core') continue;
    else if (isExtendedHeader(name)) addLine(extended, name, redactor.text(raw));
    else if (others.size < NAMES_MAX) others.add(redactor.short(name, NAME_CHARS));
  }
  return {
    core: sorted(core),
    ...(Object.keys(accessControl).length > 0 && { accessControl: sorted(accessControl) }),
    ...(profile === 'full' && { extended: sorted(extended), otherNames: [...others].sort() }),
  };
}

/** All headers whose values may be kept, as lines. Exchanges store their response headers like this. */
export function readHeaderLines(
  headers: HeaderList,
  redactor: ProbeRedactor,
): Readonly<Record<string, readonly string[]>> {
  const lines: Record<string, string[]> = {};
  for (const [name, raw] of headers) {
    if (isCore(name) || isAccessControl(name) || isExtendedHeader(name)) {
      addLine(lines, name, redactor.text(raw));
    }
  }
  return sorted(lines);
}

/** RFC 9110 §5.3: lines of one name may be joined with a comma and a blank. */
function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

function addLine(lines: Record<string, string[]>, name: string, value: string): void {
  const known = own(lines, name);
  if (!known) lines[name] = [value];
  else if (known.length < LINES_MAX) known.push(value);
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function sorted<T extends object>(record: T): T {
  const names = Object.keys(record).sort() as (keyof T & string)[];
  const ordered = {} as T;
  for (const name of names) setOwn(ordered, name, record[name]);
  return ordered;
}
