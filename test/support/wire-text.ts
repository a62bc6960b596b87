/** Encodes values as text between Node and an object in workerd: JSON, plus the types that the stores' calls need. */

/** A call to an object of `test/edge/workers/engines.ts`. */
export interface EngineCall {
  readonly object: string;
  readonly method: 'call' | 'compare' | 'suites' | 'forget';
  readonly args: readonly unknown[];
}

const PIECE = 8_192;

export function toText(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => {
    if (each === undefined) return { $undefined: true };
    return each instanceof Uint8Array ? { $latin1: latin1Of(each) } : each;
  });
}

export function fromText(text: string): unknown {
  return JSON.parse(text, (_name, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    if ('$undefined' in each) return undefined;
    return '$latin1' in each ? bytesOf(String(each.$latin1)) : each;
  });
}

function latin1Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + PIECE)));
  return pieces.join('');
}

function bytesOf(latin1: string): Uint8Array {
  const bytes = new Uint8Array(latin1.length);
  for (let at = 0; at < latin1.length; at++) bytes[at] = latin1.charCodeAt(at);
  return bytes;
}
