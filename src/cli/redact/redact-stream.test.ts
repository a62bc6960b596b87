import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../../net/redact/index.js';
import { type RedactLimits, StreamRedactor } from './redact-stream.js';

const bytes = (text: string) => new TextEncoder().encode(text);

function filter(pieces: readonly Uint8Array[], limits?: RedactLimits) {
  const stream = new StreamRedactor(createRedactor(), limits);
  const outputs = pieces.map((piece) => stream.push(piece));
  return { text: outputs.join('') + stream.end(), outputs, leftOut: stream.leftOut };
}

function split(text: string, sizes: readonly number[]): Uint8Array[] {
  const all = bytes(text);
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < all.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(all.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

const body = `${'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zaB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zaB\n'.repeat(20)}`;
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----\n`;
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

test('harmless text passes unchanged, wherever it is split', () => {
  const word = fc.constantFrom('probe', 'ok', 'é', '漢字', '😀', '{', '}', ',', ':', '\n', ' ', '\r\n', '\t');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 60 }), sizes, (words, at) => {
      const text = words.join('');
      expect(filter(split(text, at)).text).toBe(createRedactor().text(text));
    }),
  );
});

test('a PEM block is redacted as a whole, wherever it is split', () => {
  fc.assert(
    fc.property(sizes, (at) => {
      const { text } = filter(split(`before\n${pem}after\n`, at));
      expect(text).toMatch(/^before\n/);
      expect(text).toMatch(/after\n$/);
      expect(text).not.toContain('dE5gH7');
    }),
    { numRuns: 50 },
  );
});

test('a PuTTY key block is redacted as a whole', () => {
  const key = `Private-Lines: 2\n${'Zm9vYmFyYmF6cXV4'.repeat(4)}\nc2Vjb25kIGxpbmU=\nPrivate-MAC: 00ff\n`;
  for (const size of [1, 20, 500]) {
    const { text } = filter(split(`PuTTY-User-Key-File-3: ssh-rsa\n${key}after\n`, [size]));
    expect(text).toMatch(/after\n$/);
    expect(text).not.toMatch(/Zm9vYmFy|c2Vjb25k/);
  }
});

test('a value is redacted together with the name on the line before', () => {
  const har = '{\n  "name": "Cookie",\n  "value": "sid=zebra-walks-home"\n}\n';
  expect(filter(split(har, [1])).text).toBe(createRedactor().text(har));
});

test('lines are output as they arrive', () => {
  const { outputs } = filter([bytes('one\n'), bytes('tw'), bytes('o\n')]);
  expect(outputs).toEqual(['one\n', '', 'two\n']);
});

test('keeps a last line without a line break', () => {
  expect(filter([bytes('a\nb')]).text).toBe('a\nb');
  expect(filter([]).text).toBe('');
});

const small: RedactLimits = { lineCharsMax: 200, blockCharsMax: 400 };

test('replaces a line above the limit with a marker and keeps the rest', () => {
  for (const size of [1, 7, 150, 1000]) {
    const { text, leftOut } = filter(split(`a\n${'x'.repeat(500)}\nb\n`, [size]), small);
    expect(text).toBe('a\n[a line of more than 200 characters was left out]\nb\n');
    expect(leftOut).toBe(1);
  }
});

test('omits a PEM block above the limit completely', () => {
  for (const size of [1, 60, 5000]) {
    const { text, leftOut } = filter(split(`a\n${pem}b\n`, [size]), small);
    expect(text).toBe('a\n[a key block of more than 400 characters was left out]\nb\n');
    expect(leftOut).toBe(1);
  }
});

test('omits a PEM block with a line above the limit completely', () => {
  const block = `-----BEGIN RSA PRIVATE KEY-----\n${'Q'.repeat(500)}\n${body}-----END RSA PRIVATE KEY-----\n`;
  const { text } = filter(split(`a\n${block}b\n`, [50]), small);
  expect(text).toBe('a\n[a line of more than 200 characters was left out]\nb\n');
});

test('the start of a PEM block in plain text does not swallow the text after it', () => {
  const lines = 'plain words of a log, with spaces\n'.repeat(30);
  const { text } = filter(split(`see -----BEGIN here\n${lines}last\n`, [30]), small);
  expect(text).toMatch(/last\n$/);
  expect(text.match(/plain words/g)).toHaveLength(30);
});
