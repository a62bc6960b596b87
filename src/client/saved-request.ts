/**
 * What is kept of a request so that a reloaded page can resume it: its key, where its response is
 * read, and how many bytes the reader has taken. Gone when the response has ended. The address is a capability:
 * any code that can read the storage can read and abort this response while the URL is valid.
 */

/** `localStorage`, or anything like it; may return later. */
export interface DurableStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
}

interface Saved {
  readonly fingerprint: string;
  readonly key: string;
  url?: string;
  at: number;
}

const PREFIX = 'sonde:';

export class SavedRequest {
  readonly #storage: DurableStorage | undefined;
  readonly #name: string;
  #saved: Saved;
  #written = '';

  private constructor(storage: DurableStorage | undefined, name: string, saved: Saved) {
    this.#storage = storage;
    this.#name = name;
    this.#saved = saved;
  }

  /** What was kept under this name for the same request, or a new one. A storage that fails keeps nothing. */
  static async open(
    storage: DurableStorage | undefined,
    id: string | undefined,
    made: Pick<Saved, 'fingerprint' | 'key'>,
  ): Promise<SavedRequest> {
    const fresh = { ...made, at: 0 };
    if (!storage || id === undefined) return new SavedRequest(undefined, '', fresh);
    const name = PREFIX + id;
    const kept = await read(storage, name);
    return new SavedRequest(storage, name, kept?.fingerprint === made.fingerprint ? kept : fresh);
  }

  /** What was kept under this name, whatever it was for. */
  static async find(storage: DurableStorage, id: string): Promise<SavedRequest | undefined> {
    const kept = await read(storage, PREFIX + id);
    return kept?.url === undefined ? undefined : new SavedRequest(storage, PREFIX + id, kept);
  }

  get key(): string {
    return this.#saved.key;
  }

  get url(): string | undefined {
    return this.#saved.url;
  }

  get at(): number {
    return this.#saved.at;
  }

  async save(change: Partial<Pick<Saved, 'url' | 'at'>> = {}): Promise<void> {
    this.#saved = { ...this.#saved, ...change };
    const text = this.#storage ? JSON.stringify(this.#saved) : '';
    if (text === this.#written) return;
    this.#written = text;
    try {
      await this.#storage?.setItem(this.#name, text);
    } catch {
      // Full, or forbidden: the response itself must not suffer.
    }
  }

  async drop(): Promise<void> {
    try {
      await this.#storage?.removeItem(this.#name);
    } catch {
      // As above.
    }
  }
}

async function read(storage: DurableStorage, name: string): Promise<Saved | undefined> {
  try {
    return JSON.parse((await storage.getItem(name)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
