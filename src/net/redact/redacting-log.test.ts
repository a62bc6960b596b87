/** The wrapper redacts everything before it reaches the log: messages, fields and the fields of a child. */
import { expect, test } from 'vitest';
import type { Log, LogFields } from '../../log.js';
import { redactingLog } from './redacting-log.js';
import { createRedactor } from './redactor.js';

type Line = [level: string, message: string, fields?: LogFields];

function memoryLog(lines: Line[], bound: LogFields = {}): Log {
  const write =
    (level: string) =>
    (message: string, fields?: LogFields): void => {
      lines.push(fields === undefined ? [level, message] : [level, message, { ...bound, ...fields }]);
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => memoryLog(lines, { ...bound, ...fields }),
  };
}

test('redacts messages and fields at every level and in a child', () => {
  const lines: Line[] = [];
  const log = redactingLog(memoryLog(lines), createRedactor());
  log.debug('token=abc');
  log.info('plain', { password: 'x', n: 1 });
  log.warn('Bearer abcdef123456', { error: new Error('token=abc') });
  log.child({ apiKey: 'k', tenant: 't' }).error('failed', { url: 'https://a:b@h/' });
  expect(lines).toMatchObject([
    ['debug', 'token=[REDACTED]'],
    ['info', 'plain', { password: '[REDACTED]', n: 1 }],
    ['warn', 'Bearer [REDACTED]', { error: { message: 'token=[REDACTED]' } }],
    ['error', 'failed', { apiKey: '[REDACTED]', tenant: 't', url: 'https://[REDACTED]@h/' }],
  ]);
});

test('never throws, even for a nested child or unreadable fields', () => {
  const lines: Line[] = [];
  const log = redactingLog(memoryLog(lines), createRedactor());
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  log.child({ a: 1 }).child({ b: 2 }).info('x', proxy);
  expect(lines).toEqual([['info', 'x', { a: 1, b: 2, fields: '[UNREADABLE]' }]]);
});

test('writes no line of a disabled level, and does not read its fields', () => {
  const lines: Line[] = [];
  const log = redactingLog(memoryLog(lines), createRedactor(), { enabled: (level) => level !== 'debug' });
  let reads = 0;
  const fields = {
    get a(): number {
      reads += 1;
      return 1;
    },
  };
  log.debug('x', fields);
  expect([lines, reads]).toEqual([[], 0]);
  log.child({}).debug('x', fields);
  log.info('y', fields);
  expect(lines).toEqual([['info', 'y', { a: 1 }]]);
});

test('creates the child of the log once, with its first line', () => {
  const lines: Line[] = [];
  const created: LogFields[] = [];
  const inner = memoryLog(lines);
  const child = (fields: LogFields): Log => {
    created.push(fields);
    return inner.child(fields);
  };
  const log = redactingLog({ ...inner, child }, createRedactor()).child({ token: 'x' });
  expect(created).toEqual([]);
  log.info('a');
  log.info('b');
  expect(created).toEqual([{ token: '[REDACTED]' }]);
});
