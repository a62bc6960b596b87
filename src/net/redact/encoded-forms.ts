/**
 * The forms in which one secret can appear in text: plain, escaped for JSON or HTML, percent-encoded, hex,
 * and base64 at each of the three alignments it can have inside a longer encoded text (`user:secret` of
 * Basic).
 */
import { trimEnd } from '../../trim-end.js';
import { toBase64 } from '../base64url.js';

const encoder = new TextEncoder();

export function encodedForms(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = percentEncoded(secret);
  const strict = percent.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  const bytes = encoder.encode(secret);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const forms = [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    unicodeEscaped(json),
    htmlEscaped(secret),
    ...[percent, strict, percentEncoded(percent)].flatMap((form) => [form, lowerHex(form), upperHex(form)]),
    percent.replaceAll('%20', '+'),
    hex,
    hex.toUpperCase(),
    ...base64Forms(bytes),
  ];
  return [...new Set(forms)];
}

/** `encodeURIComponent` throws on half a surrogate pair; the encoder replaces it as a URL would. */
function percentEncoded(text: string): string {
  return encodeURIComponent(new TextDecoder().decode(encoder.encode(text)));
}

const lowerHex = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase());
const upperHex = (text: string): string => text.replace(/%[0-9a-f]{2}/g, (byte) => byte.toUpperCase());

/** The escaping that Go and .NET apply to JSON strings. */
function unicodeEscaped(json: string): string {
  return json.replace(/[&<>'+]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const htmlEscaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** The whole encoding, and for each alignment the characters that do not depend on neighbouring bytes. */
function base64Forms(bytes: Uint8Array): string[] {
  const whole = toBase64(bytes);
  const forms = [whole, trimEnd(whole, '=')];
  for (const shift of [0, 1, 2]) {
    const padded = new Uint8Array(shift + bytes.length);
    padded.set(bytes, shift);
    const encoded = toBase64(padded);
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    forms.push(encoded.slice(first, last));
  }
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
