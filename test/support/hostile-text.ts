/**
 * One text with everything that a stranger could send to act on a terminal, a runner, a spreadsheet or a reader, and a
 * site that has it in every field. The check of the output has its own list of characters.
 */
import { expect } from 'vitest';
import { type Listening, listenTcp } from './listen.js';

export const HOSTILE = [
  'HOST\u001b]0;title\u0007\u001b[5m\u009b5m\u007f\u0085',
  '\u202eoverridden\u2066isolated\u200f\u061c\u2028\u2029',
  '\u200bhidden\u2060\ufeff\u{e0041}\u{e0042}',
  '@octocat ##[add-mask]x ##vso[task.complete]y ##teamcity[message]',
  '\r\nFORGED line\n::set-output name=x::y\n   ::error::z\n--- group\rreturned ;=1+1',
].join(' ');

const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]|\r(?!\n)/u;
const OBEYED = /##(?:vso|teamcity)?\[|^\s*::(?!(?:error|warning|notice) title=)/m;

export interface Allowed {
  /** Whether Sonde's own colours may occur. */
  readonly colours?: boolean;
  /** Whether a line may begin with foreign text: in a quoted cell, or in preformatted text. */
  readonly lines?: boolean;
}

export function expectHarmless(what: string, text: string, { colours, lines }: Allowed = {}): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of src/cli/paint.ts
  const plain = colours ? text.replaceAll(/\u001b\[(?:1|22|3[1-69]|90|39)m/g, '') : text;
  const found = [UNPRINTABLE, OBEYED, ...(lines ? [] : [/^\s*FORGED/m])].flatMap((pattern) => {
    const at = plain.search(pattern);
    return at < 0 ? [] : [JSON.stringify(plain.slice(Math.max(0, at - 60), at + 60))];
  });
  expect([what, found]).toEqual([what, []]);
}

/** Every text of a value, with the hostile text at its end, unless `keeps` refuses the changed value. */
export function spoil<T>(value: T, keeps: (changed: T) => boolean = () => true): T {
  const root = structuredClone({ value });
  const visit = (holder: Record<string, unknown>): void => {
    for (const [key, own] of Object.entries(holder)) {
      if (typeof own === 'object' && own !== null) visit(own as Record<string, unknown>);
      if (typeof own !== 'string') continue;
      holder[key] = own + HOSTILE;
      if (!keeps(root.value)) holder[key] = own;
    }
  };
  visit(root);
  return root.value;
}

const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function page(side: string): string {
  const text = html(`${side} ${HOSTILE}`);
  return `<!doctype html><html lang="${text}"><head><title>${text}</title><meta name="description" content="${text}">
<meta property="og:title" content="${text}"><meta name="robots" content="${text}"><link rel="canonical" href="/${text}">
<link rel="alternate" hreflang="${text}" href="/a?${text}"><base target="${text}"><link rel="stylesheet" href="/s.css?${text}">
<script type="application/ld+json">${JSON.stringify({ '@type': `A${HOSTILE}`, url: HOSTILE, [HOSTILE]: side })}</script>
</head><body id="${text}"><h1>${text}</h1><h1>${text}</h1><p>${text}</p><img src="/i.png?${text}">
<img src="/j.png" alt="${text}"><a href="/json">${text}</a><a href="/moved?${text}">${text}</a><a href="/missing/${text}"></a>
<a href="http://[${text}">${text}</a><a href="//${text}/">x</a><button aria-label="${text}" role="${text}"></button>
<input name="${text}"><table><tr><td headers="${text}"></table></body></html>`;
}

/** A header may have any byte but those that end a line, NUL and the other C0 controls. */
const HEADER = 'HOST \u009b5m \u0085 \u00ad ##[add-mask]x ##vso[y] ::set-output name=x::y ;=1+1';

type Reply = readonly [status: string, headers: readonly string[], body: string];

function replyTo(path: string, { side, origin }: { readonly side: string; readonly origin: string }): Reply {
  const own = [
    `X-Robots-Tag: ${side} ${HEADER}`,
    `Cache-Control: max-age=1, ${side} ${HEADER}`,
    `Content-Security-Policy: default-src ${side} ${HEADER}`,
    `Set-Cookie: ${side}=1; Path=/${HEADER}; SameSite=${HEADER}`,
    `Link: </${HEADER}>; rel="canonical"`,
    `Server: ${HEADER}`,
    `Vary: ${HEADER}`,
    `${side}-##[x]: ${HEADER}`,
  ].filter((line) => !line.includes('##[x]'));
  const text = ['Content-Type: text/html; charset=utf-8', ...own];
  if (path === '/') return [`200 ${HEADER}`, text, page(side)];
  if (path === '/robots.txt')
    return [
      '200 OK',
      ['Content-Type: text/plain'],
      `User-agent: *\nDisallow: /private${HOSTILE}\nSitemap: ${origin}/sitemap.xml\nSitemap: ${HOSTILE}\n${HOSTILE}: x\n`,
    ];
  if (path === '/sitemap.xml') {
    const entries = [`${origin}/`, `${origin}/json`, `/${HOSTILE}`, `${origin}/${HOSTILE}`, `/\\${HOSTILE}`];
    const urls = entries.map(
      (each) => `<url><loc>${html(each)}</loc><lastmod>${html(HOSTILE)}</lastmod></url>`,
    );
    return ['200 OK', ['Content-Type: application/xml'], `<urlset>${urls.join('')}</urlset>`];
  }
  if (path.startsWith('/json')) {
    const value = {
      [`key ${HOSTILE}`]: HOSTILE,
      [`${side} ${HOSTILE}`]: [HOSTILE, side],
      same: `${side} ${HOSTILE}`,
    };
    return ['200 OK', [`Content-Type: application/json; ${HEADER}`, ...own], JSON.stringify(value)];
  }
  if (path.startsWith('/moved')) return ['302 Found', [`Location: /json?${side}${HEADER}`, ...own], HOSTILE];
  if (path.startsWith('/away')) return ['302 Found', [`Location: http://[${side}${HEADER}`, ...own], HOSTILE];
  if (path.startsWith('/typed'))
    return ['200 OK', [`Content-Type: ${side}/${HEADER}`, ...own], HOSTILE + side];
  if (path.startsWith('/broken')) return [`500 ${HEADER}`, text, `<title>${side} ${html(HOSTILE)}</title>`];
  return ['404 Not Found', text, html(`${side} ${HOSTILE}`)];
}

export const HOSTILE_PATHS = ['/', '/json', '/moved', '/away', '/typed', '/broken', '/missing'];

/** Written byte by byte, because a well-behaved server would not send it. */
export async function hostileSite(side: string): Promise<Listening> {
  const site: Listening = await listenTcp((socket) => {
    let asked = '';
    socket.setEncoding('latin1').on('data', (piece) => {
      asked += piece;
      if (!asked.includes('\r\n\r\n')) return;
      const [method, path = '/'] = asked.split(' ');
      const [status, headers, body] = replyTo(path, { side, origin: `http://127.0.0.1:${site.port}` });
      const bytes = Buffer.from(body);
      const head = [
        `HTTP/1.1 ${status}`,
        ...headers,
        `Content-Length: ${bytes.length}`,
        'Connection: close',
        '',
        '',
      ];
      socket.write(Buffer.from(head.join('\r\n'), 'latin1'));
      socket.end(method === 'HEAD' ? '' : bytes);
    });
  });
  return site;
}
