/**
 * What the HTML reports of comparisons and audits share: the frame of a page that has no script and loads nothing, its
 * links and its times. Everything in a page is printable.
 */
import { escapeHtml } from './escape-html.js';
import { printable } from './printable.js';
import { tryUrl } from './try-url.js';

/** `body` is HTML. */
export function reportHtml(page: { readonly title: string; readonly style: string; readonly body: string }) {
  return printable(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(page.title)}</title>
<style>${page.style}</style>
</head>
<body>
${page.body}
</body>
</html>
`);
}

/** Only http and https URLs become links, so that text from a site cannot become a script. */
export function webLink(url: string, html: string): string | undefined {
  const protocol = tryUrl(url)?.protocol;
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  return `<a href="${escapeHtml(url)}" rel="noreferrer">${html}</a>`;
}

/** `2026-03-04 05:06 UTC`, with the exact time on hover: readable, and the same on every machine. */
export function timeHtml(iso: string): string {
  const shown = `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
  return `<time datetime="${escapeHtml(iso)}" title="${escapeHtml(iso)}">${escapeHtml(shown)}</time>`;
}
