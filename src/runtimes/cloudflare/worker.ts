/** The Worker: every request passes the app, and the objects are exported from here for the platform to make. */
import type { App } from '../../api/app-env.js';
import { composeApp } from './compose-app.js';
import type { EdgeEnv } from './edge-env.js';

export { AuditLedger } from './ledger/audit-ledger.js';
export { HotBuffer } from './streams/hot-buffer.js';

/** Made by the first request that needs it; a promise of one request must not be awaited by another. */
let app: App | undefined;

// biome-ignore lint/style/noDefaultExport: the platform looks for it
export default {
  async fetch(request, env) {
    app ??= await composeApp(env);
    const peerAddress = request.headers.get('cf-connecting-ip');
    return app.fetch(request, peerAddress === null ? {} : { peerAddress });
  },
} satisfies ExportedHandler<EdgeEnv>;
