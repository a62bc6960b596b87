/**
 * Builds ports whose methods forward to something else: a thread, a Durable Object, or an engine that runs the call in
 * a transaction. Each method is a function of its own name, so that stack traces show the call.
 */

/** The methods of an engine, or those of a class if its prototype is given. */
export function methodNames(engine: object): readonly string[] {
  const names = new Set<string>();
  for (let at: object = engine; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === 'function' && name !== 'constructor') names.add(name);
    }
  }
  return [...names];
}

/** `own` are the methods that are not forwarded. */
export function forwardMethods<Port extends object>(
  names: readonly string[],
  forward: (method: string, args: readonly unknown[]) => unknown,
  own: Partial<Port> = {},
): Port {
  const methods = names.map((name) => ({ [name]: (...args: readonly unknown[]) => forward(name, args) }));
  return Object.assign({}, ...methods, own);
}

/** Passes each call of an engine to `run` instead of making it. */
export function wrapMethods<Port extends object>(
  engine: object,
  run: (call: () => unknown, method: string) => unknown,
): Port {
  const methods = engine as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
  return forwardMethods<Port>(methodNames(engine), (name, args) => run(() => methods[name]?.(...args), name));
}
