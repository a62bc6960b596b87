/**
 * The only logging interface of the product. It has five methods, so that every engine can implement it: pino on Node,
 * console JSON at the edge. Every implementation is wrapped by the redactor (`net/redact/redacting-log.ts`).
 */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Returns a log that adds `fields` to every line. */
  child(fields: LogFields): Log;
}
