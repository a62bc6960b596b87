/** A port as its synchronous engine implements it; the engine's host makes promises of its responses. */
export type SyncPort<Port> = {
  readonly [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never;
};
