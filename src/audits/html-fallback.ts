/** Detects an HTML page in place of a file: some sites respond to every path with a page. */
import { type FetchFacts, mediaTypeOf } from './facts/fetch-facts.js';

export function isHtmlFallback(fetch: Pick<FetchFacts, 'headers'>, text = ''): boolean {
  const type = mediaTypeOf(fetch);
  return type === 'text/html' || type === 'application/xhtml+xml' || startsAsHtml(text);
}

export function startsAsHtml(text: string): boolean {
  return /^(?:<!doctype\s+html|<html)/i.test(text.slice(0, 1000).trimStart());
}
