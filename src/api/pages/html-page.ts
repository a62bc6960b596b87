/**
 * The layout of every page: head, top bar with the mark and the theme switch, content, footer. A page is a single
 * response that loads nothing else; its policy allows only its own style and scripts, by hash.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { escapeHtml } from '../../escape-html.js';
import { MARK } from '../../mark.js';
import type { AppContext } from '../app-env.js';
import { STYLE } from './style.js';
import { THEME_SCRIPT } from './theme-script.js';

export interface HtmlPage {
  readonly html: string;
  readonly policy: string;
}

export interface HtmlPageOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** Trusted markup. */
  readonly content: string;
  readonly script?: string;
}

export function htmlPage(options: HtmlPageOptions): HtmlPage {
  const scripts = [THEME_SCRIPT, ...(options.script === undefined ? [] : [options.script])];
  const policy = pagePolicy(scripts.map(hashSource).join(' '), hashSource(STYLE));
  return { html: render(options), policy };
}

export function respondWithPage(c: AppContext, page: HtmlPage): Response {
  c.header('Content-Security-Policy', page.policy);
  c.header('Cache-Control', 'no-cache');
  return c.html(page.html, 200);
}

export function pagePolicy(scripts: string, styles: string, images = ''): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    `img-src 'self'${images}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function hashSource(text: string): string {
  const digest = sha256(new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}

function render({ title, description, version, content, script }: HtmlPageOptions): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
<script>${THEME_SCRIPT}</script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar"><div class="wide">
<a class="brand" href="./">${MARK}<span>Sonde</span></a>
<nav aria-label="Pages"><a href="./" aria-current="page">This server</a><a href="ui">Dashboard</a><a href="docs">API</a></nav>
<fieldset class="theme"><legend class="unseen">Colours</legend>
${['system', 'light', 'dark'].map(themeChoice).join('')}</fieldset>
</div></header>
<main id="content" class="wide">
${content}
</main>
<footer class="wide"><p>Sonde <span class="wire">${escapeHtml(version)}</span></p><p>Apache-2.0</p></footer>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`;
}

function themeChoice(theme: string): string {
  const label = `${theme.slice(0, 1).toUpperCase()}${theme.slice(1)}`;
  const checked = theme === 'system' ? ' checked' : '';
  return `<label><input type="radio" name="theme" value="${theme}"${checked}><span>${label}</span></label>`;
}
