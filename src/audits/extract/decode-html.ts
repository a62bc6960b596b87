/**
 * Decodes an HTML response. Like browsers, it takes the encoding from the byte order mark, the header, a `<meta>` in
 * the first 1,024 bytes, or else UTF-8. A label that no decoder knows is ignored. Never throws.
 */
export interface DecodedHtml {
  readonly text: string;
  readonly charset: { readonly name: string; readonly from: 'header' | 'bom' | 'meta' | 'default' };
}

const PRESCAN_BYTES = 1024;

export function decodeHtml(bytes: Uint8Array, contentType: string | null): DecodedHtml {
  const candidates = [
    { find: () => bomCharset(bytes), from: 'bom' },
    { find: () => headerCharset(contentType), from: 'header' },
    { find: () => metaCharset(bytes), from: 'meta' },
  ] as const;
  for (const { find, from } of candidates) {
    const name = find();
    const decoder = name === '' ? undefined : decoderFor(name);
    if (decoder) return { text: decoder.decode(bytes), charset: { name: decoder.encoding, from } };
  }
  return { text: new TextDecoder().decode(bytes), charset: { name: 'utf-8', from: 'default' } };
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function bomCharset(bytes: Uint8Array): string {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : '';
}

export function headerCharset(contentType: string | null): string {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? '';
}

function metaCharset(bytes: Uint8Array): string {
  const opening = String.fromCharCode(...bytes.subarray(0, PRESCAN_BYTES)).replaceAll(/<!--[\s\S]*?-->/g, '');
  const label = /<meta\s[^>]*charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(opening)?.[1]?.toLowerCase() ?? '';
  // HTML §13.2.3.2: a page that was readable so far cannot be UTF-16.
  return label.startsWith('utf-16') ? 'utf-8' : label;
}
