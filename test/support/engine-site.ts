/** The upstream and target for comparing engines. */
import { type Listening, listenHttp } from './listen.js';

export function listenForEngines(): Promise<Listening> {
  return listenHttp((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    request.resume();
    if (pathname === '/missing')
      return void response.writeHead(404, { 'content-type': 'text/plain' }).end('no');
    if (pathname === '/moved') return void response.writeHead(302, { location: '/' }).end();
    if (pathname === '/none') return void response.writeHead(204).end();
    if (pathname === '/json')
      return void response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>');
  });
}

/** For every engine: no authentication, and the site as target, upstream and route. */
export function engineOptions({ origin }: Pick<Listening, 'origin'>) {
  return {
    auth: 'none' as const,
    net: { allowPrivate: [origin] },
    longPollMs: 100,
    proxy: {
      allow: [`private:${origin}/*`],
      routes: { up: { url: origin, credential: 'caller', private: true } },
      env: () => undefined,
    },
  };
}
