/**
 * Webhooks leave through the guarded door, one hop, bounded in time and answer. Loopback receivers are for
 * trying things out: only a server that nobody else can reach and that asks nobody who they are may call them,
 * each through a door that is opened for its origin alone. Everywhere else they need `--allow-private`, and so
 * does any receiver without TLS.
 */
import { isLoopbackHost } from '../../../api/auth/loopback-host.js';
import { SondeError } from '../../../errors.js';
import { createPolicy, readBody } from '../../../net/index.js';
import type { WebhookCall, WebhookDoor } from '../../../streams/index.js';
import { ownAddresses } from '../egress/own-addresses.js';
import { createDoor, type Door, type DoorOptions } from '../net.js';

export interface WebhookDoorOptions {
  readonly net: DoorOptions;
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

export function createWebhookDoor({ net, openLoopback }: WebhookDoorOptions): ClosableWebhookDoor {
  const main = createDoor(net);
  const loopback = new LoopbackDoors(net);
  const originOf = (url: string): string | undefined => (openLoopback ? loopbackOrigin(url) : undefined);
  const refusal: WebhookDoor['refusal'] = (url) => {
    const origin = originOf(url);
    const policy = createPolicy({ ...(origin ? opened(net, origin) : net), ownAddresses });
    const verdict = policy.judgeUrl(url);
    if (!verdict.ok) return verdict.refusal;
    // A wake carries its token, so it goes in clear only to where an operator has opened the way.
    return verdict.target.secure || verdict.target.lifted ? undefined : PLAIN_HTTP;
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
  readonly #net: DoorOptions;
  readonly #doors = new Map<string, { readonly door: Door; uses: number }>();

  constructor(net: DoorOptions) {
    this.#net = net;
  }

  async use<T>(origin: string, act: (door: Door) => Promise<T>): Promise<T> {
    const held = this.#doors.get(origin) ?? { door: createDoor(opened(this.#net, origin)), uses: 0 };
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

function opened(net: DoorOptions, origin: string): DoorOptions {
  return { ...net, allowPrivate: [...(net.allowPrivate ?? []), origin] };
}

function loopbackOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host, origin } = new URL(text);
  return /^https?:$/.test(protocol) && isLoopbackHost(host) ? origin : undefined;
}
