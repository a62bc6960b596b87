/**
 * Parses sizes and times such as `10MiB`, `10s`, or a plain number (bytes, milliseconds).
 *
 * Units are exact: `MB` is refused, because it could mean 10^6 or 2^20. Returns `undefined` for anything else; the
 * caller checks the range.
 */
const BYTES: Readonly<Record<string, number>> = { '': 1, B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };
const MS: Readonly<Record<string, number>> = {
  '': 1,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

export const SIZE_PATTERN = /^(\d{1,15})(B|KiB|MiB|GiB)?$/;
export const TIME_PATTERN = /^(\d{1,15})(ms|s|m|h|d)?$/;

function scale(match: RegExpExecArray | null, units: Readonly<Record<string, number>>): number | undefined {
  const factor = match && units[match[2] ?? ''];
  if (!match || !factor) return undefined;
  const value = Number(match[1]) * factor;
  return Number.isSafeInteger(value) ? value : undefined;
}

export const parseBytes = (text: string): number | undefined => scale(SIZE_PATTERN.exec(text), BYTES);

export const parseMs = (text: string): number | undefined => scale(TIME_PATTERN.exec(text), MS);
