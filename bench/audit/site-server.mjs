// The target of the audit benchmark, in its own process: 1,000 pages of 30 KB with 60 links each and 20 shared assets,
// generated before the first request.
import { createServer } from 'node:http';

const PAGES = 1000;
const LINKS = 60;
const ASSETS = 20;
const PAGE_BYTES = 30_000;

/** Returns words that differ by page, so that no two pages are alike. @param {number} seed @param {number} bytes */
function prose(seed, bytes) {
  let state = seed + 1;
  let text = '';
  while (text.length < bytes) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += `${(state % 46656).toString(36)}${state % 11 === 0 ? '</p>\n<p>' : ' '}`;
  }
  return text;
}

/** @param {number} page */
function pageOf(page) {
  const links = Array.from({ length: LINKS }, (_, at) => {
    const to = at === 0 ? (page + 1) % PAGES : (page * LINKS + at * 7) % PAGES;
    return `<li class="item"><a href="/page/${to}">Read about number ${to}</a></li>`;
  });
  const assets = Array.from({ length: ASSETS }, (_, at) =>
    at % 2 === 0
      ? `<link rel="stylesheet" href="/assets/style-${at}.css">`
      : `<script src="/assets/script-${at}.js" defer></script>`,
  );
  const head = `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>The page with number ${page}</title>\n<meta name="description" content="What the page with number ${page} says, in a sentence of fitting length.">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n${assets.join('\n')}\n</head>\n<body>\n<header><nav><ul>\n${links.join('\n')}\n</ul></nav></header>\n<main><h1>Number ${page}</h1>\n<p>`;
  const tail = '</p>\n</main>\n</body>\n</html>\n';
  return Buffer.from(head + prose(page, PAGE_BYTES - head.length - tail.length) + tail);
}

const pages = Array.from({ length: PAGES }, (_, page) => pageOf(page));

const server = createServer((request, response) => {
  const path = request.url ?? '/';
  const page = path === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  const body = pages[page];
  if (body) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length });
    response.end(body);
  } else if (path.startsWith('/assets/')) {
    response.writeHead(200, {
      'content-type': path.endsWith('.css') ? 'text/css' : 'text/javascript',
      'content-length': 2,
    });
    response.end('{}');
  } else {
    response.writeHead(path === '/robots.txt' ? 200 : 404, { 'content-type': 'text/plain' });
    response.end('User-agent: *\nDisallow:\n');
  }
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.send?.(address.port);
});
process.on('disconnect', () => process.exit(0));
