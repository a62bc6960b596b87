/**
 * Sends webhooks through the egress layer, without redirects and with limits on time and response size. Loopback
 * receivers are for local trials: only a server that listens on loopback without authentication may call them, each
 * through an outbound client that allows just its origin. Otherwise loopback receivers need `--allow-private`, as does
 * any receiver without TLS.
 */
import { SondeError } from '../errors.js';
import { type OutboundClient, type OutboundPolicy, readBody } from '../net/index.js';
import type { WebhookCall, WebhookSender } from '../streams/index.js';
import { tryUrl } from '../try-url.js';
import { isLoopbackHost } from './auth/loopback-host.js';

export interface WebhookSenderOptions<Net extends OutboundPolicy> {
  readonly net: Net;
  /** Opens an outbound client on this engine. */
  readonly openOutbound: (net: Net) => OutboundClient;
  /** Whether loopback receivers may be called. */
  readonly openLoopback: boolean;
}

export interface ClosableWebhookSender extends WebhookSender {
  close(): Promise<void>;
}

const TOTAL_MS = 15_000;
const RESPONSE_BYTES_MAX = 64 * 1024;
const LOOPBACK_CLIENTS_MAX = 16;

const PLAIN_HTTP = { rule: 'plain_http', message: 'a receiver on the network must use https' };

export function createWebhookSender<Net extends OutboundPolicy>({
  net,
  openOutbound,
  openLoopback,
}: WebhookSenderOptions<Net>): ClosableWebhookSender {
  const main = openOutbound(net);
  const loopback = new LoopbackClients((origin) => openOutbound(allowOrigin(net, origin)));
  const originOf = (url: string): string | undefined => (openLoopback ? loopbackOrigin(url) : undefined);
  const refusal: WebhookSender['refusal'] = (url) => {
    const origin = originOf(url);
    if (!origin) return refusalBy(main, url);
    const outbound = openOutbound(allowOrigin(net, origin));
    // The client has sent nothing, so its close needs no waiting.
    void outbound.close();
    return refusalBy(outbound, url);
  };
  return {
    refusal,
    async deliver(call) {
      // The URL may no longer be allowed, although it was when the subscription was created.
      const refused = refusal(call.url);
      if (refused) throw new SondeError('ssrf_blocked', refused.message, { details: { rule: refused.rule } });
      const origin = originOf(call.url);
      return origin ? loopback.use(origin, (outbound) => send(outbound, call)) : send(main, call);
    },
    async close() {
      await Promise.all([main.close(), loopback.close()]);
    },
  };
}

function refusalBy(outbound: OutboundClient, url: string): ReturnType<WebhookSender['refusal']> {
  const verdict = outbound.egress.policy.judgeUrl(url);
  if (!verdict.ok) return verdict.refusal;
  // A wake carries its token, so it is only sent without TLS if an operator has allowed the address.
  return verdict.target.secure || verdict.target.lifted ? undefined : PLAIN_HTTP;
}

async function send(
  outbound: OutboundClient,
  { url, headers, body, signal }: WebhookCall,
): Promise<{ status: number; body: Uint8Array }> {
  const result = await outbound.fetch({
    url,
    method: 'POST',
    headers: headers.map(([name, value]) => [name, value] as const),
    body,
    limits: { totalMs: TOTAL_MS },
    maxRedirects: 0,
    signal,
  });
  if (!result.ok) throw result.error;
  const { bytes } = await readBody(result.response.body, RESPONSE_BYTES_MAX);
  return { status: result.response.status, body: bytes };
}

/** A few outbound clients. The least recently used is closed first, but never while it is in use. */
class LoopbackClients {
  readonly #open: (origin: string) => OutboundClient;
  readonly #clients = new Map<string, { readonly outbound: OutboundClient; uses: number }>();

  constructor(open: (origin: string) => OutboundClient) {
    this.#open = open;
  }

  async use<T>(origin: string, run: (outbound: OutboundClient) => Promise<T>): Promise<T> {
    const held = this.#clients.get(origin) ?? { outbound: this.#open(origin), uses: 0 };
    this.#clients.delete(origin);
    this.#clients.set(origin, held);
    held.uses++;
    try {
      return await run(held.outbound);
    } finally {
      held.uses--;
      this.#shrink();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(({ outbound }) => outbound.close()));
    this.#clients.clear();
  }

  #shrink(): void {
    for (const [origin, { outbound, uses }] of this.#clients) {
      if (this.#clients.size <= LOOPBACK_CLIENTS_MAX) return;
      if (uses > 0) continue;
      this.#clients.delete(origin);
      // No call uses this client, so it does not matter whether its idle sockets close cleanly.
      void outbound.close().catch(() => undefined);
    }
  }
}

function allowOrigin<Net extends OutboundPolicy>(net: Net, origin: string): Net {
  return { ...net, allowPrivate: [...(net.allowPrivate ?? []), origin] };
}

function loopbackOrigin(text: string): string | undefined {
  const url = tryUrl(text);
  if (!url) return undefined;
  const { protocol, host, origin } = url;
  return /^https?:$/.test(protocol) && isLoopbackHost(host) ? origin : undefined;
}
