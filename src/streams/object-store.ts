/** The port for cold segments: files on Node, an R2 bucket on Cloudflare. Objects are immutable. */
export interface ObjectStore {
  /** Durable when it resolves. Writing the same key again with the same bytes is fine. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  get(key: string): Promise<Uint8Array | undefined>;
  /**
   * Gives back bytes that `get` returned, or a part of them, so that their buffer can be reused. The caller must no
   * longer use them. Calling this is optional.
   */
  release?(bytes: Uint8Array): void;
  /** Removing an object that does not exist succeeds. */
  remove(key: string): Promise<void>;
}

/** A key contains a digest of the stream's life, so it is safe in paths and reveals nothing about the stream. */
export function segmentKey(streamDigest: string, chunk: number): string {
  return `${streamDigest.slice(0, 2)}/${streamDigest}/${String(chunk).padStart(8, '0')}`;
}
