/** Every scope there is. A token may carry others; they mean nothing here and are dropped. */
export const SCOPES = [
  'stream:read',
  'stream:write',
  'proxy:create',
  'proxy:read',
  'proxy:admin',
  'audit:read',
  'audit:write',
  'compare:read',
  'compare:write',
  'admin',
] as const;

export type Scope = (typeof SCOPES)[number];

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

export function isScope(text: string): text is Scope {
  return KNOWN.has(text);
}
