/** Probes a site every five minutes, and any public URL when asked: `GET /?url=https://example.com/`. */
import { openProbeClient, type SignalEnvelope } from 'sonde/probe';

interface Env {
  /** What the schedule probes. */
  readonly SITE: string;
  /** Origins at private addresses that may be probed, with commas between them. */
  readonly ALLOW_PRIVATE?: string;
}

async function probe(url: string, { ALLOW_PRIVATE = '' }: Env): Promise<SignalEnvelope> {
  const allowPrivate = ALLOW_PRIVATE.split(',').filter(Boolean);
  return openProbeClient({ allowPrivate }).provider.probe(url);
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url).searchParams.get('url');
    if (url === null) return new Response('Add ?url=https://example.com/\n', { status: 400 });
    return Response.json(await probe(url, env));
  },

  async scheduled(_event: unknown, env: Env): Promise<void> {
    const { result } = await probe(env.SITE, env);
    if ('error' in result) console.error(`${env.SITE}: ${result.error.code} ${result.error.message}`);
    else console.log(`${env.SITE}: ${result.response.status} in ${result.durationMs} ms`);
  },
};
