/**
 * Patterns that identify what a body *is* (a challenge page, a stack trace, a framework's error page), regardless of
 * its status. One table; the matched text is never kept. Each pattern is anchored on words that such pages share and
 * ordinary prose does not contain.
 */
import { BODY_FACT_LIMITS, type BodyKind, type BodyMarker } from '../body-facts.js';

interface Row {
  readonly type: BodyMarker['type'];
  readonly name: string;
  readonly pattern: RegExp;
  /** The kinds of bodies to search; all if absent. */
  readonly kinds?: readonly BodyKind[];
}

const ROWS: readonly Row[] = [
  {
    type: 'challenge',
    name: 'cloudflare',
    pattern:
      /\/cdn-cgi\/challenge-platform\/|cf[-_]chl[-_]|<title>Just a moment\.\.\.<\/title>|Attention Required! \| Cloudflare/,
  },
  {
    type: 'challenge',
    name: 'akamai',
    pattern: /Reference&#32;&#35;|<H1>Access Denied<\/H1>[\s\S]{0,400}Reference #/,
  },
  { type: 'challenge', name: 'imperva', pattern: /_Incapsula_Resource|Incapsula incident ID/ },
  { type: 'challenge', name: 'aws-waf', pattern: /awswaf\.com\/|AwsWafIntegration/ },
  { type: 'challenge', name: 'datadome', pattern: /captcha-delivery\.com/ },
  { type: 'challenge', name: 'perimeterx', pattern: /window\._pxAppId|px-captcha/ },
  {
    type: 'challenge',
    name: 'captcha-wall',
    pattern: /<title>[^<]{0,60}(?:captcha|verify you are human|are you a robot)/i,
    kinds: ['html'],
  },
  {
    type: 'login',
    name: 'password-field',
    pattern: /<input[^>]{0,300}\btype\s*=\s*["']?password/i,
    kinds: ['html'],
  },
  { type: 'stack-trace', name: 'python', pattern: /Traceback \(most recent call last\):/ },
  {
    type: 'stack-trace',
    name: 'java',
    pattern: /\bat [\w$.]+\([\w$]+\.java:\d+\)|java\.lang\.\w+(?:Exception|Error)\b/,
  },
  {
    type: 'stack-trace',
    name: 'javascript',
    pattern: /\bat [^\n<>]{1,120}\((?:file:\/\/|\/|node:)[^\n)]{1,200}:\d+:\d+\)/,
  },
  {
    type: 'stack-trace',
    name: 'dotnet',
    pattern: /\bat [\w.<>`]+\([^\n)]{0,200}\) in [^\n]{1,200}:line \d+|System\.\w+Exception:/,
  },
  {
    type: 'stack-trace',
    name: 'php',
    pattern:
      /<b>(?:Fatal error|Warning|Notice|Parse error)<\/b>:[^\n]{1,300} on line <b>\d+|PHP (?:Fatal error|Warning|Notice):/,
  },
  { type: 'stack-trace', name: 'ruby', pattern: /\.rb:\d+:in [`'][^'\n]{1,80}'/ },
  { type: 'stack-trace', name: 'go', pattern: /goroutine \d+ \[running\]:/ },
  {
    type: 'stack-trace',
    name: 'sql',
    pattern: /SQLSTATE\[\w+\]|ORA-\d{5}:|You have an error in your SQL syntax/,
  },
  {
    type: 'debug-page',
    name: 'django',
    pattern: /You're seeing this error because you have <code>DEBUG = True<\/code>/,
  },
  {
    type: 'debug-page',
    name: 'rails',
    pattern: /<title>Action Controller: Exception caught<\/title>|web-console-/,
  },
  { type: 'debug-page', name: 'laravel', pattern: /Ignition\b[\s\S]{0,200}laravel|window\.ignite\(/ },
  { type: 'debug-page', name: 'symfony', pattern: /sf-toolbar|Symfony Exception|_profiler\// },
  { type: 'debug-page', name: 'werkzeug', pattern: /Werkzeug Debugger|__debugger__=yes/ },
  {
    type: 'debug-page',
    name: 'next-dev',
    pattern: /\/_next\/static\/development\/|__nextjs_original-stack-frame/,
  },
  { type: 'debug-page', name: 'vite-dev', pattern: /["']\/@vite\/client["']/ },
  { type: 'debug-page', name: 'phpinfo', pattern: /<title>(?:PHP [\d.]+ - )?phpinfo\(\)<\/title>/ },
  {
    type: 'framework-error',
    name: 'nginx',
    pattern: /<center><h1>[45]\d\d [^<]{1,60}<\/h1><\/center>\s*<hr><center>(?:nginx|openresty)/,
  },
  { type: 'framework-error', name: 'apache', pattern: /<address>Apache\/[^<]{0,200} Server at / },
  { type: 'framework-error', name: 'tomcat', pattern: /<h3>Apache Tomcat\/[\d.]+/ },
  { type: 'framework-error', name: 'express', pattern: /<pre>Cannot (?:GET|HEAD|POST|PUT|OPTIONS) \// },
  {
    type: 'framework-error',
    name: 'iis',
    pattern: /<title>IIS [\d.]+ Detailed Error|Server Error in '\/[^']*' Application/,
  },
  { type: 'framework-error', name: 'spring', pattern: /Whitelabel Error Page/ },
  { type: 'framework-error', name: 'rails', pattern: /<title>We're sorry, but something went wrong/ },
  {
    type: 'framework-error',
    name: 's3',
    pattern: /<Error><Code>(?:AccessDenied|NoSuchKey|NoSuchBucket)<\/Code>/,
  },
  { type: 'framework-error', name: 'cloudflare', pattern: /<title>[^<]{0,80}\| 5\d\d: [^<]{1,80}<\/title>/ },
  {
    type: 'framework-error',
    name: 'next',
    pattern: /Application error: a (?:client|server)-side exception has occurred/,
  },
  {
    type: 'directory-listing',
    name: 'index-of',
    pattern: /<title>(?:Index of \/|Directory listing for \/)/i,
  },
  { type: 'source-map', name: 'comment', pattern: /\/[/*][#@] ?sourceMappingURL=(?!data:)\S/ },
  {
    type: 'not-found-text',
    name: 'title',
    pattern: /<title>[^<]{0,80}(?:\b404\b|not found|page (?:does not|doesn['’]t) exist)[^<]{0,80}<\/title>/i,
    kinds: ['html'],
  },
  {
    type: 'not-found-text',
    name: 'heading',
    pattern: /<h1[^>]{0,200}>\s*(?:<[^>]{1,100}>\s*)?(?:404\b|page not found|not found\s*<)/i,
    kinds: ['html'],
  },
  {
    type: 'maintenance',
    name: 'title',
    pattern: /<title>[^<]{0,80}(?:maintenance|temporarily unavailable|be right back)[^<]{0,80}<\/title>/i,
    kinds: ['html'],
  },
  { type: 'default-page', name: 'nginx', pattern: /<title>Welcome to nginx!<\/title>/ },
  {
    type: 'default-page',
    name: 'apache',
    pattern: /<title>Apache2? [^<]{0,40}Default Page|<h1>It works!<\/h1>/,
  },
  { type: 'default-page', name: 'iis', pattern: /<title>IIS Windows Server<\/title>/ },
];

/** How much of a text is searched: such pages are recognizable near the start. */
const SEARCHED_CHARS = 200_000;

export function findMarkers(text: string, kind: BodyKind): BodyMarker[] {
  const searched = text.slice(0, SEARCHED_CHARS);
  return ROWS.filter(({ pattern, kinds }) => (kinds?.includes(kind) ?? true) && pattern.test(searched))
    .map(({ type, name }) => ({ type, name }))
    .slice(0, BODY_FACT_LIMITS.markers);
}
