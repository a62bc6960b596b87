/**
 * The port of sessions that were ended before their time. A session is a signed token that its holder could have
 * copied: to end it, the server has to remember it for as long as it would have lived.
 */
export interface RevokedSessions {
  /** Resolves once it is durable; from `expiresAt` on, in milliseconds since the epoch, it may be forgotten. */
  add(sessionId: string, expiresAt: number): Promise<void>;
  has(sessionId: string): Promise<boolean>;
}
