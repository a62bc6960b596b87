/**
 * What the edge reaches through `fetch` in a simulation: a resolver, a model that streams tokens, and a site of pages.
 */
export const TOKENS = 600;
export const TOKEN_EVERY_MS = 20_000 / TOKENS;

const PAGES = 20;

export async function simulatedFetch(input: string | URL | Request): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  switch (url.hostname) {
    case 'cloudflare-dns.com':
      return resolve(url);
    case 'llm.sonde-example.com':
      return streamTokens();
    default:
      return page(url);
  }
}

function resolve({ searchParams }: URL): Response {
  const type = Number(searchParams.get('type'));
  const response = { name: searchParams.get('name'), type, TTL: 300, data: '93.184.215.14' };
  return Response.json({ Status: 0, Answer: type === 1 ? [response] : [] });
}

/** Responds with server-sent events, one token each. */
function streamTokens(): Response {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const say = () => {
        const token = `data: {"choices":[{"delta":{"content":"token ${sent}"}}]}\n\n`;
        controller.enqueue(new TextEncoder().encode(token));
        if (++sent < TOKENS) setTimeout(say, TOKEN_EVERY_MS);
        else controller.close();
      };
      setTimeout(say, TOKEN_EVERY_MS);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function page({ pathname, hostname }: URL): Response {
  if (pathname === '/robots.txt' || pathname === '/sitemap.xml') return new Response('', { status: 404 });
  const number = Number(pathname.slice(1) || 0);
  if (!(number >= 0 && number < PAGES)) return new Response('nothing here', { status: 404 });
  const links = Array.from(
    { length: PAGES },
    (_each, other) => `<a href="/${other || ''}">page ${other}</a>`,
  );
  const html = `<!doctype html><html lang="en"><head><title>Page ${number} of ${hostname}</title>
    <meta name="description" content="A page of the simulated site, number ${number}."></head>
    <body><h1>Page ${number}</h1>${links.join('\n')}</body></html>`;
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}
