/** A site that responds to every path with a page has no file at a path where a page comes. */
import { type FetchFacts, mediaTypeOf } from './facts/fetch-facts.js';

export function isHtmlFallback(fetch: Pick<FetchFacts, 'headers'>, text = ''): boolean {
  const type = mediaTypeOf(fetch);
  return type === 'text/html' || type === 'application/xhtml+xml' || startsAsHtml(text);
}

export function startsAsHtml(text: string): boolean {
  return /^(?:<!doctype\s+html|<html)/i.test(text.slice(0, 1000).trimStart());
}
