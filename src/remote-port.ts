/** A port whose implementation runs elsewhere, in a thread or a Durable Object; `send` forwards every method call. */
export function remotePort<Port extends object>(
  send: (method: string, args: readonly unknown[]) => Promise<unknown>,
  own: Partial<Port> = {},
): Port {
  return new Proxy<Record<string, unknown>>(
    { ...own },
    {
      get(known, method) {
        // `await` reads `then`, and a port is not a promise.
        if (typeof method !== 'string' || method === 'then') return undefined;
        known[method] ??= (...args: unknown[]) => send(method, args);
        return known[method];
      },
    },
  ) as Port;
}
