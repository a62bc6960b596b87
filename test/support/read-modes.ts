/** The ways to read a proxied response in the protocol, each over as many connections as it takes. */

export const READ_MODES = ['catch-up', 'long-poll', 'sse', 'raw'] as const;

interface From {
  readonly offset: string;
  readonly skip: number;
}

interface Step {
  readonly bytes: Uint8Array;
  readonly from: From;
  readonly closed: boolean;
}

const TRIES_MAX = 2_000;

/** Returns everything from there to the end of the stream. */
export async function readBy(mode: string, location: string, start: From): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let from = start;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const step = await (mode === 'sse' ? sseStep : plainStep)(mode, location, from).catch(() => undefined);
    if (!step) continue;
    pieces.push(step.bytes);
    from = step.from;
    if (step.closed) return Buffer.concat(pieces);
  }
  throw new Error(`no end after ${TRIES_MAX} tries`);
}

function urlOf(location: string, { offset, skip }: From, live: string | undefined): string {
  const query = new URLSearchParams({
    offset,
    ...(skip > 0 && { skip: String(skip) }),
    ...(live && { live }),
  });
  return `${location}&${query}`;
}

/** Counts the bytes of a truncated response; a complete one is located by its offset or, if raw, also by counting. */
async function plainStep(mode: string, location: string, from: From): Promise<Step> {
  const response = await fetch(urlOf(location, from, mode === 'catch-up' ? undefined : mode));
  if (response.status !== 200 && response.status !== 204) throw new Error(String(response.status));
  const pieces: Uint8Array[] = [];
  let whole = true;
  try {
    for await (const piece of response.body ?? []) pieces.push(piece);
  } catch {
    whole = false;
  }
  const bytes = Buffer.concat(pieces);
  const next = response.headers.get('stream-next-offset');
  const counted = { offset: from.offset, skip: from.skip + bytes.length };
  return {
    bytes,
    from: whole && next !== null ? { offset: next, skip: 0 } : counted,
    closed: whole && response.headers.get('stream-closed') === 'true',
  };
}

/** Only bytes that a control event confirms count. */
async function sseStep(_mode: string, location: string, from: From): Promise<Step> {
  const response = await fetch(urlOf(location, from, 'sse'));
  if (response.status !== 200) throw new Error(String(response.status));
  let text = '';
  try {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
  } catch {
    // Bytes before the break count.
  }
  const events = text.split('\n\n').slice(0, -1);
  let step: Step = { bytes: new Uint8Array(0), from, closed: false };
  let data = Buffer.alloc(0);
  const confirmed: Uint8Array[] = [];
  for (const event of events) {
    const lines = event.split('\n').filter((line) => line.startsWith('data:'));
    const body = lines.map((line) => line.slice(5).trim()).join('');
    if (!event.includes('event: control')) {
      data = Buffer.concat([data, Buffer.from(body, 'base64')]);
      continue;
    }
    const control = JSON.parse(body) as { streamNextOffset: string; streamClosed?: boolean };
    confirmed.push(data);
    data = Buffer.alloc(0);
    step = {
      bytes: Buffer.concat(confirmed),
      from: { offset: control.streamNextOffset, skip: 0 },
      closed: control.streamClosed === true,
    };
  }
  return step;
}
