/**
 * The stored state of a request, with which a reloaded page can resume it: its key, the URL of its response, and the
 * number of bytes read. It is deleted when the response has ended. The URL is a capability: any code that can read the
 * storage can read and abort this response while the URL is valid.
 */

/** `localStorage` or anything similar; methods may be asynchronous. */
export interface DurableStorage {
  getItem(key: string): string | null | Promise<string | null>;
  setItem(key: string, value: string): void | Promise<void>;
  removeItem(key: string): void | Promise<void>;
}

interface SavedState {
  readonly fingerprint: string;
  readonly key: string;
  url?: string;
  at: number;
}

const PREFIX = 'sonde:';

export class SavedRequest {
  readonly #storage: DurableStorage | undefined;
  readonly #name: string;
  #saved: SavedState;
  #written = '';

  private constructor(storage: DurableStorage | undefined, name: string, saved: SavedState) {
    this.#storage = storage;
    this.#name = name;
    this.#saved = saved;
  }

  /** Opens the saved state of the same request under this name, or a new one. A storage that fails saves nothing. */
  static async open(
    storage: DurableStorage | undefined,
    id: string | undefined,
    request: Pick<SavedState, 'fingerprint' | 'key'>,
  ): Promise<SavedRequest> {
    const fresh = { ...request, at: 0 };
    if (!storage || id === undefined) return new SavedRequest(undefined, '', fresh);
    const name = PREFIX + id;
    const stored = await read(storage, name);
    return new SavedRequest(storage, name, stored?.fingerprint === request.fingerprint ? stored : fresh);
  }

  /** Finds the saved state under this name, whatever its request was. */
  static async find(storage: DurableStorage, id: string): Promise<SavedRequest | undefined> {
    const stored = await read(storage, PREFIX + id);
    return stored?.url === undefined ? undefined : new SavedRequest(storage, PREFIX + id, stored);
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

  async save(change: Partial<Pick<SavedState, 'url' | 'at'>> = {}): Promise<void> {
    this.#saved = { ...this.#saved, ...change };
    const text = this.#storage ? JSON.stringify(this.#saved) : '';
    if (text === this.#written) return;
    this.#written = text;
    try {
      await this.#storage?.setItem(this.#name, text);
    } catch {
      // The storage is full or blocked, which must not fail the response.
    }
  }

  async drop(): Promise<void> {
    try {
      await this.#storage?.removeItem(this.#name);
    } catch {
      // A blocked storage must not fail the response.
    }
  }
}

async function read(storage: DurableStorage, name: string): Promise<SavedState | undefined> {
  try {
    return JSON.parse((await storage.getItem(name)) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
