/**
 * Wraps a log and redacts everything before it is written: the message as text and the fields as values. Lines of a
 * disabled level are not redacted, and a child costs nothing until its first line, because a server creates one per
 * request. Redaction itself never throws.
 */
import type { Log, LogFields } from '../../log.js';
import type { Redactor } from './redactor.js';

type Level = 'debug' | 'info' | 'warn' | 'error';

export interface RedactingLogOptions {
  /** Whether lines of a level are written. */
  readonly enabled?: (level: Level) => boolean;
}

export function redactingLog(log: Log, redactor: Redactor, options: RedactingLogOptions = {}): Log {
  return new RedactingLog(() => log, redactor, options);
}

class RedactingLog implements Log {
  readonly #open: () => Log;
  readonly #redactor: Redactor;
  readonly #options: RedactingLogOptions;
  #opened: Log | undefined;

  constructor(open: () => Log, redactor: Redactor, options: RedactingLogOptions) {
    this.#open = open;
    this.#redactor = redactor;
    this.#options = options;
  }

  debug = (message: string, fields?: LogFields): void => this.#write('debug', message, fields);
  info = (message: string, fields?: LogFields): void => this.#write('info', message, fields);
  warn = (message: string, fields?: LogFields): void => this.#write('warn', message, fields);
  error = (message: string, fields?: LogFields): void => this.#write('error', message, fields);

  child = (fields: LogFields): Log =>
    new RedactingLog(() => this.#log().child(this.#safe(fields)), this.#redactor, this.#options);

  #write(level: Level, message: string, fields?: LogFields): void {
    if (this.#options.enabled?.(level) === false) return;
    if (fields === undefined) this.#log()[level](this.#redactor.text(message));
    else this.#log()[level](this.#redactor.text(message), this.#safe(fields));
  }

  #log(): Log {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  #safe(fields: LogFields): LogFields {
    const value = this.#redactor.value(fields);
    return typeof value === 'object' && value !== null ? (value as LogFields) : { fields: value };
  }
}
