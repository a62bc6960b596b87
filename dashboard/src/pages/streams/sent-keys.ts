/** The idempotency keys of requests sent from this browser, by the id of their response. */
const PREFIX = 'sonde-sent:';

export function rememberSent(id: string, key: string): void {
  try {
    sessionStorage.setItem(`${PREFIX}${id}`, key);
  } catch {
    // Without storage the response can still be deleted.
  }
}

export function keyOfSent(id: string): string | null {
  try {
    return sessionStorage.getItem(`${PREFIX}${id}`);
  } catch {
    return null;
  }
}

/** Also works over plain HTTP on other hosts, where `crypto.randomUUID` is missing. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `dashboard-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
