/**
 * Whether a host, as a `Host` header or URL spells it, can only mean this machine. Judged by its text: a
 * name that merely resolves to loopback is how DNS rebinding works, so only `localhost` counts as a name.
 */
export function isLoopbackHost(host: string): boolean {
  if (/[@/?#\\]/.test(host)) return false;
  let name: string;
  try {
    name = new URL(`http://${host}`).hostname;
  } catch {
    return false;
  }
  return name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name);
}
