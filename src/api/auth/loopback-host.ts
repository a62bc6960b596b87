/**
 * Whether a host, as a `Host` header or URL spells it, can only mean this machine. Judged by its text: a
 * name that merely resolves to loopback is how DNS rebinding works, so only `localhost` counts as a name.
 */
export function isLoopbackHost(host: string): boolean {
  const known = judged.get(host);
  if (known !== undefined) return known;
  const verdict = judge(host);
  if (judged.size < JUDGED_MAX) judged.set(host, verdict);
  return verdict;
}

/** Asked on every request without authentication, nearly always of the same few hosts. */
const judged = new Map<string, boolean>();
const JUDGED_MAX = 100;

function judge(host: string): boolean {
  if (/[@/?#\\]/.test(host)) return false;
  let name: string;
  try {
    name = new URL(`http://${host}`).hostname;
  } catch {
    return false;
  }
  return name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
}
