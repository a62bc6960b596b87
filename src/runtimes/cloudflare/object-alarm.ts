/**
 * An object has one alarm, and several parts that need to be woken. In the turn of a write the earliest wins; that
 * alarm is part of the write's commit. When work has ended, the object sets the alarm to its next real deadline, which
 * may be later or none: each setting is billed as a row, each alarm as a request.
 */
const EARLY_MS = 30_000;

export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  #at: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** To be awaited before the object serves any call. */
  async load(): Promise<void> {
    this.#at = await this.#storage.getAlarm();
  }

  wakeBy(at: number): void {
    if (this.#at !== null && this.#at <= at) return;
    this.#set(at);
  }

  /** For a caller that knows everything that is still due. An alarm that is only a little early stays. */
  replan(at: number | null): void {
    // It fires any moment. Set to a later time, it would leave what it was set for undone until then.
    if (this.#at !== null && this.#at <= Date.now()) return;
    const isLittleEarly = at !== null && this.#at !== null && at >= this.#at && at - this.#at < EARLY_MS;
    if (at !== this.#at && !isLittleEarly) this.#set(at);
  }

  /** The alarm has fired: callers that still need one must set it again. */
  wentOff(): void {
    this.#at = null;
  }

  #set(at: number | null): void {
    this.#at = at;
    // Not awaited: it commits with the write of this turn, and a failed commit resets the object.
    void (at === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(at));
  }
}
