/** A stream that one client appends numbered records to and another follows, both across every kill of the server. */
import { pause, until } from './operators-run.js';

const TEXT = { 'content-type': 'text/plain' };
/** A reader that received nothing for this long while the server was up counts as hung. */
const HUNG_MS = 60_000;

export class FollowedStream {
  readonly #url: () => string;
  acknowledged = 0;
  #read = '';
  /** What the server acknowledged; a producer's repetitions count once. */
  #written = '';

  constructor(server: () => string, name: string) {
    this.#url = () => `${server()}/v1/stream/${name}`;
  }

  /** Runs until `over`, and then until the reader has everything. Throws if the reader hangs. */
  async run(over: () => boolean): Promise<void> {
    await until('the stream is created', async () => {
      const response = await fetch(this.#url(), { method: 'PUT', headers: TEXT }).catch(() => undefined);
      return response !== undefined && [200, 201].includes(response.status);
    });
    let closed = false;
    const reader = this.#follow(() => closed);
    for (let seq = 0; !over(); seq++) {
      const body = `${seq};`;
      await until('the append is acknowledged', () => this.#append(seq, body));
      this.#written += body;
      this.acknowledged++;
      await pause(20);
    }
    closed = true;
    await reader;
  }

  isExact(): boolean {
    return this.#read === this.#written;
  }

  async #append(seq: number, body: string): Promise<boolean> {
    const headers = { ...TEXT, 'producer-id': 'p', 'producer-epoch': '0', 'producer-seq': String(seq) };
    const response = await fetch(this.#url(), { method: 'POST', headers, body }).catch(() => undefined);
    return response !== undefined && [200, 204].includes(response.status);
  }

  async #follow(isLast: () => boolean): Promise<void> {
    let offset = '-1';
    let receivedAt = performance.now();
    while (!(isLast() && this.#read.length >= this.#written.length)) {
      const query = `?offset=${offset}${isLast() ? '' : '&live=long-poll'}`;
      const response = await fetch(this.#url() + query).catch(() => undefined);
      const text = response?.ok ? await response.text().catch(() => undefined) : undefined;
      if (text === undefined) await pause(50);
      else {
        if (text !== '') receivedAt = performance.now();
        this.#read += text;
        offset = response?.headers.get('stream-next-offset') ?? offset;
      }
      if (performance.now() - receivedAt > HUNG_MS) throw new Error(`the reader hangs at ${offset}`);
    }
  }
}
