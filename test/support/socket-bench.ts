import { type ProxyBench, startProxyBench, token, type Upstream } from './proxy-bench.js';

export interface SocketBench extends ProxyBench {
  readonly port: number;
  /** A credential with all scopes, to be written into a request by hand. */
  readonly secret: string;
}

/** Starts a proxy for tests that write to its socket directly; its route `up` leads to this path of the upstream. */
export async function startSocketBench(upstream: Upstream, path = ''): Promise<SocketBench> {
  const up = { url: `${upstream.origin}${path}`, credential: 'env:K', private: true };
  const bench = await startProxyBench({ upstream, proxy: { routes: { up }, env: () => 'sk-k' } });
  return { ...bench, port: Number(new URL(bench.url).port), secret: await token() };
}
