/**
 * Serves the built files of the dashboard (`GET /ui/…`) and of the API's page (`GET /docs`). Hashed assets may be cached forever;
 * every other path below `/ui` is a page of the application and gets its index. The pages' policy only allows scripts
 * and styles from the assets folder, because other paths of this origin serve untrusted recorded bytes.
 */
import { SondeError } from '../../errors.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { pagePolicy } from '../pages/html-page.js';
import { pageOperation } from '../views/operation.js';

export interface DashboardFile {
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly type: string;
  readonly encoding?: 'gzip';
}

/** The port for the files of the built dashboard. */
export interface DashboardFiles {
  /** A file by its path in the build, such as `assets/index-1a2b.js`. */
  read(path: string, options: { readonly gzip: boolean }): Promise<DashboardFile | undefined>;
}

const ASSETS = '/ui/assets/';
const ASSET_NAME = /^[\w-][\w.-]{0,120}$/;

export function addDashboard(app: App, { dashboard }: AppDeps): void {
  if (!dashboard) return;
  const respond = async (c: AppContext, path: string): Promise<Response> => {
    const file = await dashboard.read(path, { gzip: acceptsGzip(c) });
    if (!file) throw new SondeError('NOT_FOUND', 'There is nothing at this path.');
    c.header('Content-Type', file.type);
    c.header('Vary', 'Accept-Encoding');
    if (file.encoding) c.header('Content-Encoding', file.encoding);
    return c.body(file.body, 200);
  };
  const respondWithIndex = (c: AppContext, path: string, images?: string) => {
    const assets = c.var.publicOrigin.ownOrigins.map((origin) => `${origin}${ASSETS}`).join(' ');
    c.header('Content-Security-Policy', pagePolicy(assets, assets, images));
    c.header('Cache-Control', 'no-cache');
    return respond(c, path);
  };

  app.openAPIRegistry.registerPath(pageOperation('/ui', 'getDashboard', 'Get the dashboard'));
  app.openAPIRegistry.registerPath(pageOperation('/docs', 'getDocs', 'Get the API documentation as a page'));
  app.get(`${ASSETS}:name`, (c) => {
    const name = c.req.param('name');
    if (!ASSET_NAME.test(name)) throw new SondeError('NOT_FOUND', 'There is nothing at this path.');
    c.header('Cache-Control', 'public, max-age=31536000, immutable');
    return respond(c, `assets/${name}`);
  });
  app.get('/ui', (c) => respondWithIndex(c, 'index.html'));
  app.get('/ui/*', (c) => respondWithIndex(c, 'index.html'));
  // Swagger UI loads its arrows from data URLs.
  app.get('/docs', (c) => respondWithIndex(c, 'docs.html', ' data:'));
}

function acceptsGzip(c: AppContext): boolean {
  return /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
}
