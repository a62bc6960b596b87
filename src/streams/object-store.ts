/** The port behind which cold segments rest: files here, a bucket elsewhere. Objects are written once. */
export interface ObjectStore {
  /** Durable when it resolves. Writing the same key again with the same bytes is fine. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * Takes back bytes that `get` gave, whole or in part, to fill them again. Only for a caller that no longer uses them;
   * a store that keeps objects forever never calls it.
   */
  release?(bytes: Uint8Array): void;
  /** Removing an object that does not exist succeeds. */
  remove(key: string): Promise<void>;
}

/** Keys name a stream by its random hash and its id's digest, so they are safe in paths and reveal nothing. */
export function segmentKey(streamDigest: string, chunk: number): string {
  return `${streamDigest.slice(0, 2)}/${streamDigest}/${String(chunk).padStart(8, '0')}`;
}
