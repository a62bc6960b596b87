import type { Log, LogFields } from '../../src/log.js';

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

export function keepingLog(lines: LogLine[] = [], base: LogFields = {}): Log {
  const at =
    (level: string) =>
    (message: string, fields: LogFields = {}) => {
      lines.push({ level, message, fields: { ...base, ...fields } });
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => keepingLog(lines, { ...base, ...fields }),
  };
}
