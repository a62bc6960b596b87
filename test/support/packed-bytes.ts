/**
 * Bytes as text on the way out of workerd: its local bridge to Node takes some ten seconds for a few MB of bytes, and
 * far below one for a string as long.
 */
const PIECE = 8_192;

interface Packed {
  readonly $latin1: string;
}

export function packBytes(value: unknown): unknown {
  return replaced(value, (each) => (each instanceof Uint8Array ? { $latin1: latin1Of(each) } : undefined));
}

export function unpackBytes(value: unknown): unknown {
  return replaced(value, (each) =>
    isPacked(each) ? Uint8Array.from(each.$latin1, (char) => char.charCodeAt(0)) : undefined,
  );
}

function isPacked(value: object): value is Packed {
  return '$latin1' in value;
}

function latin1Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  return pieces.join('');
}

/** Walks lists and plain objects; anything else stays as it is. */
function replaced(value: unknown, replace: (each: object) => unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  const other = replace(value);
  if (other !== undefined) return other;
  if (Array.isArray(value)) return value.map((each) => replaced(each, replace));
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, replace)]));
}
