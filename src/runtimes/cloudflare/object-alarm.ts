/**
 * An object has one alarm, and several things that want to be woken. The earliest wins; who is woken too early
 * asks again. What an alarm is asked for in the turn of a write is part of that write's commit.
 */
export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  #at: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** To be awaited before anything else is asked of the object. */
  async load(): Promise<void> {
    this.#at = await this.#storage.getAlarm();
  }

  wakeBy(at: number): void {
    if (this.#at !== null && this.#at <= at) return;
    this.#at = at;
    // Not awaited: it commits with the write of this turn, and a failed commit resets the object.
    void this.#storage.setAlarm(at);
  }

  /** The alarm has fired: callers that still need one must set it again. */
  wentOff(): void {
    this.#at = null;
  }
}
