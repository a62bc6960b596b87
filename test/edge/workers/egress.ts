/** Sends a given request through the edge's egress layer and returns the outcome. */

import { readBody } from '../../../src/net/index.js';
import { createEdgeClient } from '../../../src/runtimes/cloudflare/egress/edge-client.js';

interface Asked {
  readonly url: string;
  readonly method?: string;
  readonly headers?: [string, string][];
  readonly body?: string;
  readonly limits?: Record<string, number>;
  readonly allowPrivate?: string[];
  readonly cancelAfterMs?: number;
}

// biome-ignore lint/style/noDefaultExport: the platform requires it
export default {
  async fetch(request: Request, env: { DOH_URL: string }): Promise<Response> {
    const { allowPrivate = [], body, cancelAfterMs, ...asked }: Asked = await request.json();
    const outbound = createEdgeClient({ dohUrl: env.DOH_URL, allowPrivate });
    const result = await outbound.fetch({
      ...asked,
      ...(body !== undefined && { body: new TextEncoder().encode(body) }),
      ...(cancelAfterMs !== undefined && { signal: AbortSignal.timeout(cancelAfterMs) }),
    });
    const said = { assurance: outbound.egress.assurance, redirects: result.redirects };
    if (!result.ok) return Response.json({ ...said, code: result.error.code, details: result.error.details });
    const { status, headers, body: response } = result.response;
    try {
      const { bytes } = await readBody(response, 1e7);
      return Response.json({ ...said, status, headers, text: new TextDecoder().decode(bytes) });
    } catch (error) {
      return Response.json({ ...said, status, code: (error as { code?: string }).code });
    }
  },
};
