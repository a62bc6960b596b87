/** A port as a synchronous engine implements it; the engine's host turns results into promises. */
export type SyncPort<Port> = {
  readonly [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never;
};
