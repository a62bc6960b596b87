/**
 * Shares the single alarm of an object among several parts. During a write the earliest time wins, and the alarm is
 * part of the write's commit. When work has ended, the object sets the alarm to its next real deadline, which may be
 * later or none. Each change of the alarm is billed as a row, and each alarm as a request.
 */
const EARLY_MS = 30_000;

export class ObjectAlarm {
  readonly #storage: DurableObjectStorage;
  #at: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Await it before the object serves any call. */
  async load(): Promise<void> {
    this.#at = await this.#storage.getAlarm();
  }

  wakeBy(at: number): void {
    if (this.#at !== null && this.#at <= at) return;
    this.#set(at);
  }

  /** For a caller that knows everything that is still due. An alarm that is only slightly early is kept. */
  replan(at: number | null): void {
    // It is about to fire. Setting it later would delay the work that it was set for.
    if (this.#at !== null && this.#at <= Date.now()) return;
    const isLittleEarly = at !== null && this.#at !== null && at >= this.#at && at - this.#at < EARLY_MS;
    if (at !== this.#at && !isLittleEarly) this.#set(at);
  }

  /** Call it when the alarm has fired. Callers that still need an alarm must set it again. */
  markFired(): void {
    this.#at = null;
  }

  #set(at: number | null): void {
    this.#at = at;
    // Not awaited: it commits together with the current write, and a failed commit resets the object.
    void (at === null ? this.#storage.deleteAlarm() : this.#storage.setAlarm(at));
  }
}
