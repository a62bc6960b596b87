/**
 * The log everyone is given: whatever passes through it has been redacted first, the message as text and
 * the fields as values. It keeps nothing and never throws of itself.
 */
import type { Log, LogFields } from '../../log.js';
import type { Redactor } from './redactor.js';

export function redactingLog(log: Log, redactor: Redactor): Log {
  const safeFields = (fields: LogFields): LogFields => {
    const value = redactor.value(fields);
    return typeof value === 'object' && value !== null ? (value as LogFields) : { fields: value };
  };
  const line =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields?: LogFields): void => {
      if (fields === undefined) log[level](redactor.text(message));
      else log[level](redactor.text(message), safeFields(fields));
    };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => redactingLog(log.child(safeFields(fields)), redactor),
  };
}
