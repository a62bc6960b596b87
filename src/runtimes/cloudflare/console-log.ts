/** The log at the edge: one JSON line per entry on the console, which the platform collects. */
import type { Log, LogFields } from '../../log.js';
import { createRedactor, redactingLog } from '../../net/index.js';
import { printable } from '../../printable.js';

type Level = 'debug' | 'info' | 'warn' | 'error';
const LEVELS: readonly Level[] = ['debug', 'info', 'warn', 'error'];

export function createConsoleLog(least: Level): Log {
  const enabled = (level: Level) => LEVELS.indexOf(level) >= LEVELS.indexOf(least);
  return redactingLog(overConsole({}, enabled), createRedactor(), { enabled });
}

function overConsole(bound: LogFields, enabled: (level: Level) => boolean): Log {
  const write =
    (level: Level) =>
    (msg: string, fields: LogFields = {}): void => {
      if (!enabled(level)) return;
      const line = printable(JSON.stringify({ ...bound, ...fields, level, msg }, plain));
      // biome-ignore lint/suspicious/noConsole: at the edge the console is where logs go
      console[level](line);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => overConsole({ ...bound, ...fields }, enabled),
  };
}

/** `JSON.stringify` turns an error into `{}`, so its fields are copied. */
function plain(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
