/**
 * The port for sessions that were ended before they expired. A session is a signed token that its holder could have
 * copied, so the server must remember an ended session until the token would have expired.
 */
export interface RevokedSessions {
  /** Resolves once the entry is durable. It may be deleted after `expiresAt`, in milliseconds since the epoch. */
  add(sessionId: string, expiresAt: number): Promise<void>;
  has(sessionId: string): Promise<boolean>;
}
