/**
 * Sizes and times as people write them: `10MiB`, `10s`, or a bare number (bytes, milliseconds).
 *
 * The unit is exact: `MB` is refused rather than guessed at 10^6 or 2^20. Returns `undefined` for
 * anything else; bounds are the caller's.
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

function scaled(match: RegExpExecArray | null, units: Readonly<Record<string, number>>): number | undefined {
  const factor = match && units[match[2] ?? ''];
  if (!match || !factor) return undefined;
  const value = Number(match[1]) * factor;
  return Number.isSafeInteger(value) ? value : undefined;
}

export const parseBytes = (text: string): number | undefined => scaled(SIZE_PATTERN.exec(text), BYTES);

export const parseMs = (text: string): number | undefined => scaled(TIME_PATTERN.exec(text), MS);
