import { expect, test } from 'vitest';
import { showOwn } from './own-sequences.js';
import { createPaint, showsColour } from './paint.js';

const screen = { isTTY: true, colourDepth: 8, columns: 80, write: async () => {} };
const pipe = { ...screen, isTTY: false, colourDepth: 1 };

test.each([
  ['a terminal', screen, {}, true],
  ['a pipe', pipe, {}, false],
  ['a pipe in CI', pipe, { CI: '1' }, false],
  ['a dumb terminal', screen, { TERM: 'dumb' }, false],
  ['a terminal without colours', { ...screen, colourDepth: 1 }, {}, false],
  ['NO_COLOR', screen, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR', screen, { NO_COLOR: '' }, true],
  ['FORCE_COLOR on a pipe', pipe, { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=0 on a terminal', screen, { FORCE_COLOR: '0' }, false],
  ['NO_COLOR together with FORCE_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('decides whether to use colour: %s', (...[, output, env, colour]) => {
  expect(showsColour(output, env)).toBe(colour);
});

test('the text is the same without colour', () => {
  expect(createPaint(pipe, {})('critical', 'refused')).toBe('refused');
  expect(showOwn(createPaint(screen, {})('critical', 'refused'))).toBe('\u001b[31mrefused\u001b[39m');
});
