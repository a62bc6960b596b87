/**
 * The log, on pino: JSON lines on stderr, or human-readable lines. Everything is redacted before it reaches pino. Lines
 * are written synchronously, so that the last one before an exit is not lost. An entry is always one line, because
 * control characters are escaped.
 */
import {
  type DestinationStream,
  destination,
  type Logger,
  pino,
  stdSerializers,
  stdTimeFunctions,
} from 'pino';
import type { Log, LogFields } from '../../log.js';
import { type Redactor, redactingLog } from '../../net/redact/index.js';
import { printable } from '../../printable.js';

export interface PinoLogOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly format: 'json' | 'pretty';
  readonly redactor: Redactor;
  readonly to?: DestinationStream;
}

const STDERR = 2;
const OWN_NAMES: ReadonlySet<string> = new Set(['level', 'time', 'msg']);

/** pino would write a second `msg`, and JSON parsers differ on which one they use. */
const withoutClash = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [OWN_NAMES.has(name) ? `${name}_` : name, value]),
  );

const overPino = (logger: Logger): Log => ({
  debug: (message, fields = {}) => logger.debug(withoutClash(fields), message),
  info: (message, fields = {}) => logger.info(withoutClash(fields), message),
  warn: (message, fields = {}) => logger.warn(withoutClash(fields), message),
  error: (message, fields = {}) => logger.error(withoutClash(fields), message),
  child: (fields) => overPino(logger.child(withoutClash(fields))),
});

const escapeControls = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

function formatValue(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'message' in value && 'stack' in value) {
    return JSON.stringify(value.message);
  }
  return typeof value === 'string' && /^[^\s"=\p{Cc}]+$/u.test(value) ? value : JSON.stringify(value);
}

/** `20:15:07.123 warn  message  key=value`, from one JSON line of pino. */
export function prettyLine(line: string): string {
  const { level, time, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${escapeControls(name)}=${formatValue(value)}`,
  );
  const head = `${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${escapeControls(String(msg))}`;
  return `${[head, ...pairs].join('  ')}\n`;
}

export function createPinoLog({ level, format, redactor, to }: PinoLogOptions): Log {
  const target = to ?? destination({ dest: STDERR, sync: true });
  const shown = format === 'json' ? (line: string) => line : prettyLine;
  const stream = { write: (line: string) => target.write(printable(shown(line))) };
  const logger = pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: stdSerializers.err, error: stdSerializers.err },
    },
    stream,
  );
  return redactingLog(overPino(logger), redactor, { enabled: (each) => logger.isLevelEnabled(each) });
}
