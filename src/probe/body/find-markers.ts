/**
 * Patterns that identify what a body *is* (a challenge page, a stack trace, a framework's error page), regardless of
 * its status. One table; the matched text is never kept. Each pattern is anchored on words that such pages share and
 * ordinary prose does not contain.
 */
import { BODY_FACT_LIMITS, type BodyKind, type BodyMarker } from '../body-facts.js';

/** Name, pattern, and the kind of body to search if not all. */
type Row = readonly [name: string, pattern: RegExp, kind?: BodyKind];

const ROWS: Readonly<Record<BodyMarker['type'], readonly Row[]>> = {
  challenge: [
    [
      'cloudflare',
      /\/cdn-cgi\/challenge-platform\/|cf[-_]chl[-_]|<title>Just a moment\.\.\.<\/title>|Attention Required! \| Cloudflare/,
    ],
    ['akamai', /Reference&#32;&#35;|<H1>Access Denied<\/H1>[\s\S]{0,400}Reference #/],
    ['imperva', /_Incapsula_Resource|Incapsula incident ID/],
    ['aws-waf', /awswaf\.com\/|AwsWafIntegration/],
    ['datadome', /captcha-delivery\.com/],
    ['perimeterx', /window\._pxAppId|px-captcha/],
    ['captcha-wall', /<title>[^<]{0,60}(?:captcha|verify you are human|are you a robot)/i, 'html'],
  ],
  login: [['password-field', /<input[^>]{0,300}\btype\s*=\s*["']?password/i, 'html']],
  'stack-trace': [
    ['python', /Traceback \(most recent call last\):/],
    ['java', /\bat [\w$.]+\([\w$]+\.java:\d+\)|java\.lang\.\w+(?:Exception|Error)\b/],
    ['javascript', /\bat [^\n<>]{1,120}\((?:file:\/\/|\/|node:)[^\n)]{1,200}:\d+:\d+\)/],
    ['dotnet', /\bat [\w.<>`]+\([^\n)]{0,200}\) in [^\n]{1,200}:line \d+|System\.\w+Exception:/],
    [
      'php',
      /<b>(?:Fatal error|Warning|Notice|Parse error)<\/b>:[^\n]{1,300} on line <b>\d+|PHP (?:Fatal error|Warning|Notice):/,
    ],
    ['ruby', /\.rb:\d+:in [`'][^'\n]{1,80}'/],
    ['go', /goroutine \d+ \[running\]:/],
    ['sql', /SQLSTATE\[\w+\]|ORA-\d{5}:|You have an error in your SQL syntax/],
  ],
  'debug-page': [
    ['django', /You're seeing this error because you have <code>DEBUG = True<\/code>/],
    ['rails', /<title>Action Controller: Exception caught<\/title>|web-console-/],
    ['laravel', /Ignition\b[\s\S]{0,200}laravel|window\.ignite\(/],
    ['symfony', /sf-toolbar|Symfony Exception|_profiler\//],
    ['werkzeug', /Werkzeug Debugger|__debugger__=yes/],
    ['next-dev', /\/_next\/static\/development\/|__nextjs_original-stack-frame/],
    ['vite-dev', /["']\/@vite\/client["']/],
    ['phpinfo', /<title>(?:PHP [\d.]+ - )?phpinfo\(\)<\/title>/],
  ],
  'framework-error': [
    ['nginx', /<center><h1>[45]\d\d [^<]{1,60}<\/h1><\/center>\s*<hr><center>(?:nginx|openresty)/],
    ['apache', /<address>Apache\/[^<]{0,200} Server at /],
    ['tomcat', /<h3>Apache Tomcat\/[\d.]+/],
    ['express', /<pre>Cannot (?:GET|HEAD|POST|PUT|OPTIONS) \//],
    ['iis', /<title>IIS [\d.]+ Detailed Error|Server Error in '\/[^']*' Application/],
    ['spring', /Whitelabel Error Page/],
    ['rails', /<title>We're sorry, but something went wrong/],
    ['s3', /<Error><Code>(?:AccessDenied|NoSuchKey|NoSuchBucket)<\/Code>/],
    ['cloudflare', /<title>[^<]{0,80}\| 5\d\d: [^<]{1,80}<\/title>/],
    ['next', /Application error: a (?:client|server)-side exception has occurred/],
  ],
  'directory-listing': [['index-of', /<title>(?:Index of \/|Directory listing for \/)/i]],
  'source-map': [['comment', /\/[/*][#@] ?sourceMappingURL=(?!data:)\S/]],
  'not-found-text': [
    [
      'title',
      /<title>[^<]{0,80}(?:\b404\b|not found|page (?:does not|doesn['’]t) exist)[^<]{0,80}<\/title>/i,
      'html',
    ],
    ['heading', /<h1[^>]{0,200}>\s*(?:<[^>]{1,100}>\s*)?(?:404\b|page not found|not found\s*<)/i, 'html'],
  ],
  maintenance: [
    [
      'title',
      /<title>[^<]{0,80}(?:maintenance|temporarily unavailable|be right back)[^<]{0,80}<\/title>/i,
      'html',
    ],
  ],
  'default-page': [
    ['nginx', /<title>Welcome to nginx!<\/title>/],
    ['apache', /<title>Apache2? [^<]{0,40}Default Page|<h1>It works!<\/h1>/],
    ['iis', /<title>IIS Windows Server<\/title>/],
  ],
};

const MARKS = Object.entries(ROWS) as [BodyMarker['type'], readonly Row[]][];

/** How much of a text is searched: such pages are recognizable near the start. */
const SEARCHED_CHARS = 200_000;

export function findMarkers(text: string, kind: BodyKind): BodyMarker[] {
  const searched = text.slice(0, SEARCHED_CHARS);
  return MARKS.flatMap(([type, rows]) =>
    rows
      .filter(([, pattern, only = kind]) => only === kind && pattern.test(searched))
      .map(([name]) => ({ type, name })),
  ).slice(0, BODY_FACT_LIMITS.markers);
}
