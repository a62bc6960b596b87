/**
 * Webhooks leave through the guarded door, one hop, bounded in time and answer. Loopback receivers are for
 * trying things out: only a server that nobody else can reach and that asks nobody who they are may call them,
 * each through a door that is opened for its origin alone. Everywhere else they need `--allow-private`, and so
 * does any receiver without TLS.
 */
import { SondeError } from '../errors.js';
import { type Door, type DoorPolicy, readBody } from '../net/index.js';
import type { WebhookCall, WebhookDoor } from '../streams/index.js';
import { tryUrl } from '../try-url.js';
import { isLoopbackHost } from './auth/loopback-host.js';

export interface WebhookDoorOptions<Net extends DoorPolicy> {
  readonly net: Net;
  /** Opens a door of this engine. */
  readonly openDoor: (net: Net) => Door;
  /** Lets loopback receivers be called. */
  readonly openLoopback: boolean;
}

export interface ClosableWebhookDoor extends WebhookDoor {
  close(): Promise<void>;
}

const TOTAL_MS = 15_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const LOOPBACK_DOORS_MAX = 16;

const PLAIN_HTTP = { rule: 'plain_http', message: 'https is needed for a receiver on the network' };

export function createWebhookDoor<Net extends DoorPolicy>({
  net,
  openDoor,
  openLoopback,
}: WebhookDoorOptions<Net>): ClosableWebhookDoor {
  const main = openDoor(net);
  const loopback = new LoopbackDoors((origin) => openDoor(opened(net, origin)));
  const originOf = (url: string): string | undefined => (openLoopback ? loopbackOrigin(url) : undefined);
  const refusal: WebhookDoor['refusal'] = (url) => {
    const origin = originOf(url);
    if (!origin) return refusalBy(main, url);
    const door = openDoor(opened(net, origin));
    // It sends nothing, so there is nothing to wait for.
    void door.close();
    return refusalBy(door, url);
  };
  return {
    refusal,
    async deliver(call) {
      // What was allowed when the subscription was made may be allowed no longer.
      const refused = refusal(call.url);
      if (refused) throw new SondeError('ssrf_blocked', refused.message, { details: { rule: refused.rule } });
      const origin = originOf(call.url);
      return origin ? loopback.use(origin, (door) => send(door, call)) : send(main, call);
    },
    async close() {
      await Promise.all([main.close(), loopback.close()]);
    },
  };
}

function refusalBy(door: Door, url: string): ReturnType<WebhookDoor['refusal']> {
  const verdict = door.egress.policy.judgeUrl(url);
  if (!verdict.ok) return verdict.refusal;
  // A wake carries its token, so it goes in clear only to where an operator has opened the way.
  return verdict.target.secure || verdict.target.lifted ? undefined : PLAIN_HTTP;
}

async function send(
  door: Door,
  { url, headers, body, signal }: WebhookCall,
): Promise<{ status: number; body: Uint8Array }> {
  const result = await door.fetch({
    url,
    method: 'POST',
    headers: headers.map(([name, value]) => [name, value] as const),
    body,
    limits: { totalMs: TOTAL_MS },
    maxRedirects: 0,
    signal,
  });
  if (!result.ok) throw result.error;
  const { bytes } = await readBody(result.response.body, ANSWER_BYTES_MAX);
  return { status: result.response.status, body: bytes };
}

/** A few doors, the least lately used closed first, none while it is in use. */
class LoopbackDoors {
  readonly #open: (origin: string) => Door;
  readonly #doors = new Map<string, { readonly door: Door; uses: number }>();

  constructor(open: (origin: string) => Door) {
    this.#open = open;
  }

  async use<T>(origin: string, act: (door: Door) => Promise<T>): Promise<T> {
    const held = this.#doors.get(origin) ?? { door: this.#open(origin), uses: 0 };
    this.#doors.delete(origin);
    this.#doors.set(origin, held);
    held.uses++;
    try {
      return await act(held.door);
    } finally {
      held.uses--;
      this.#shrink();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#doors.values()].map(({ door }) => door.close()));
    this.#doors.clear();
  }

  #shrink(): void {
    for (const [origin, { door, uses }] of this.#doors) {
      if (this.#doors.size <= LOOPBACK_DOORS_MAX) return;
      if (uses > 0) continue;
      this.#doors.delete(origin);
      // It serves nobody: whether its idle sockets close well interests no one.
      void door.close().catch(() => undefined);
    }
  }
}

function opened<Net extends DoorPolicy>(net: Net, origin: string): Net {
  return { ...net, allowPrivate: [...(net.allowPrivate ?? []), origin] };
}

function loopbackOrigin(text: string): string | undefined {
  const url = tryUrl(text);
  if (!url) return undefined;
  const { protocol, host, origin } = url;
  return /^https?:$/.test(protocol) && isLoopbackHost(host) ? origin : undefined;
}
