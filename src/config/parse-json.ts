/**
 * Parses JSON and reports the line and column of a syntax error. V8's own message quotes the text around the error,
 * which may be a secret in a configuration file, and sometimes has no position.
 */
import { jsonFault } from '../json-fault.js';

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number };

export function parseJson(text: string): ParsedJson {
  // Editors on Windows may add a byte order mark.
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return { ok: true, value: JSON.parse(body) };
  } catch {
    const before = body.slice(0, jsonFault(body)?.at).split('\n');
    return { ok: false, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}
