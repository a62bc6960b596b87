/**
 * Whether a host from a `Host` header or URL can only mean this machine. Only its text counts: DNS rebinding uses names
 * that resolve to loopback, so `localhost` is the only accepted name.
 */
export function isLoopbackHost(host: string): boolean {
  const cached = results.get(host);
  if (cached !== undefined) return cached;
  const isLoopback = checkLoopback(host);
  if (results.size < RESULTS_MAX) results.set(host, isLoopback);
  return isLoopback;
}

/** A cache: without authentication every request is checked, nearly always with the same few hosts. */
const results = new Map<string, boolean>();
const RESULTS_MAX = 100;

function checkLoopback(host: string): boolean {
  if (/[@/?#\\]/.test(host)) return false;
  let name: string;
  try {
    name = new URL(`http://${host}`).hostname;
  } catch {
    return false;
  }
  return name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
}
