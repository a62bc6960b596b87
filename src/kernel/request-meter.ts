/** Counts and times requests. Its labels are closed sets: method, route pattern and status class. */
export interface RequestMeter {
  started(): void;
  ended(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** As metrics, spans and the log name it. */
export function methodLabel(method: string): string {
  return METHODS.has(method) ? method : 'OTHER';
}
