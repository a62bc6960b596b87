/** Determines the kind of a body by its declared type, or else by its first bytes, and decodes its text. */
import type { BodyKind } from '../body-facts.js';

const TEXT_TYPES =
  /^(?:text\/|application\/(?:javascript|ecmascript|x-javascript|xml|graphql|yaml|x-yaml|toml|x-www-form-urlencoded|x-ndjson))|\+(?:xml|yaml)$/;

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether a body of this type never ends; reading it would only wait for the deadline. */
export function isEndless(contentType: string | undefined): boolean {
  return /^(?:text\/event-stream|multipart\/x-mixed-replace)$/.test(mediaType(contentType));
}

export function bodyKind(contentType: string | undefined, bytes: Uint8Array): BodyKind {
  if (bytes.length === 0) return 'empty';
  const type = mediaType(contentType);
  if (/^application\/json$|^text\/json$|\+json$/.test(type)) return 'json';
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (TEXT_TYPES.test(type)) return 'text';
  return type === '' ? sniffKind(bytes) : 'binary';
}

function sniffKind(bytes: Uint8Array): BodyKind {
  const start = new TextDecoder().decode(bytes.subarray(0, 512)).trimStart().toLowerCase();
  if (/^(?:<!doctype html|<html|<head|<body)/.test(start)) return 'html';
  if (/^[[{]/.test(start)) return 'json';
  return /^[\t\n\r\u0020-\u007e]*$/.test(start) ? 'text' : 'binary';
}

/** Decodes by byte order mark, then by the declared charset, then as UTF-8, which also replaces an unknown charset. */
export function bodyText(contentType: string | undefined, bytes: Uint8Array): string {
  const declared = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
  const label =
    bytes[0] === 0xfe && bytes[1] === 0xff
      ? 'utf-16be'
      : bytes[0] === 0xff && bytes[1] === 0xfe
        ? 'utf-16le'
        : declared;
  try {
    return new TextDecoder(label ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
