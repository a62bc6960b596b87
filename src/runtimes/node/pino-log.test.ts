import { expect, test } from 'vitest';
import { createRedactor } from '../../net/redact/index.js';
import { createPinoLog } from './pino-log.js';

function logTo(format: 'json' | 'pretty') {
  const lines: string[] = [];
  const redactor = createRedactor();
  const log = createPinoLog({
    level: 'info',
    format,
    redactor,
    to: { write: (line) => void lines.push(line) },
  });
  return { log, lines, redactor };
}

test('a line is JSON with level, time and message first', () => {
  const { log, lines } = logTo('json');
  log.debug('not shown');
  log.child({ part: 'api' }).info('started', { port: 1, msg: 'mine', level: 'x' });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    part: 'api',
    port: 1,
    msg_: 'mine',
    level_: 'x',
    msg: 'started',
  });
});

test('redacts messages, fields and errors', () => {
  const { log, lines, redactor } = logTo('json');
  redactor.protect('my-very-own-live-secret-value');
  log.warn('failed with Bearer abcdef1234567890abcdef', {
    headers: { authorization: 'Bearer abcdef1234567890abcdef' },
    err: new Error('said my-very-own-live-secret-value'),
  });
  log.child({ token: 'abcdef1234567890abcdef' }).error('x');
  expect(lines.join('')).not.toMatch(/abcdef123456|very-own/);
  expect(lines).toHaveLength(2);
});

test.each(['json', 'pretty'] as const)('a line in the format %s has nothing unprintable', (format) => {
  const { log, lines } = logTo(format);
  const text = '\u009b5m \u202e \u2028 \u007f ##[add-mask]x';
  log.info(text, { [text]: text, err: new Error(text) });
  expect(lines.join('')).toMatch(/^[\x20-\x7e]+\n$/);
  expect(lines.join('')).not.toContain('##[');
});

test('the pretty format is one line, even if the text has control characters', () => {
  const { log, lines } = logTo('pretty');
  log.info('two\nlines \u001b[31m', { path: '/a b', count: 2, err: new Error('broke\nhere') });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} info {2}two\\u000alines \\u001b\[31m {2}path="\/a b" {2}count=2 {2}err=/,
  );
  expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u);
});
