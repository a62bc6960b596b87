/**
 * The one logging interface. Five methods, so that any engine can satisfy it: pino on Node, console
 * JSON at the edge. Nothing in the product logs through anything else, and every implementation is
 * wrapped by the redactor (`net/redact/redacting-log.ts`) before it is handed out.
 */
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds `fields` to every line. */
  child(fields: LogFields): Log;
}
