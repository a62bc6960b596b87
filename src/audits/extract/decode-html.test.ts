/** Which encoding a response is read in. */
import { expect, it } from 'vitest';
import { decodeHtml } from './decode-html.js';

const ascii = (text: string) => new TextEncoder().encode(text);
const bytes = (...values: number[]) => new Uint8Array(values);

it.each<[string, Uint8Array, string, string]>([
  ['the mark of UTF-8', bytes(0xef, 0xbb, 0xbf, 0x41), 'utf-8', 'A'],
  ['the mark of UTF-16BE', bytes(0xfe, 0xff, 0x00, 0x41), 'utf-16be', 'A'],
  ['the mark of UTF-16LE', bytes(0xff, 0xfe, 0x41, 0x00), 'utf-16le', 'A'],
])('follows %s against the header', (_, body, name, text) => {
  expect(decodeHtml(body, 'text/html; charset=windows-1252')).toEqual({
    text,
    charset: { name, from: 'bom' },
  });
});

it.each([
  [0xef, 0xbb, 0x41],
  [0xef, 0x41, 0xbf],
  [0x41, 0xbb, 0xbf],
  [0xfe, 0x41, 0x41],
  [0x41, 0xff, 0x41],
  [0xff, 0x41, 0x41],
  [0x41, 0xfe, 0x41],
])('sees no mark in %i %i %i', (...start) => {
  expect(decodeHtml(bytes(...start), null).charset).toEqual({ name: 'utf-8', from: 'default' });
});

it.each([
  ['text/html; charset=iso-8859-2', 'iso-8859-2', 'header'],
  ['text/html;Charset = "ISO-8859-2"; a=b', 'iso-8859-2', 'header'],
  ['text/html; charset=', 'utf-8', 'default'],
  ['text/html', 'utf-8', 'default'],
  ['text/html; charset=klingon', 'utf-8', 'default'],
])('takes from the header %s: %s', (contentType, name, from) => {
  expect(decodeHtml(ascii('<p>'), contentType).charset).toEqual({ name, from });
});

it.each([
  ['<meta charset=iso-8859-2>', 'iso-8859-2', 'meta'],
  ['<META CHARSET="ISO-8859-2">', 'iso-8859-2', 'meta'],
  ["<meta http-equiv=content-type content='text/html; charset=iso-8859-2'>", 'iso-8859-2', 'meta'],
  ['<meta charset="utf-16">', 'utf-8', 'meta'],
  ['<meta charset="utf-16le">', 'utf-8', 'meta'],
  ['<!-- <meta charset=iso-8859-2> -->', 'utf-8', 'default'],
  ['<metadata charset=iso-8859-2>', 'utf-8', 'default'],
  [`${' '.repeat(1024 - '<meta charset=koi8-r'.length)}<meta charset=koi8-r>`, 'koi8-r', 'meta'],
  [`${' '.repeat(1024)}<meta charset=koi8-r>`, 'utf-8', 'default'],
])('takes from the markup %s', (html, name, from) => {
  expect(decodeHtml(ascii(html), 'text/html').charset).toEqual({ name, from });
});

it('reads the text in the encoding that it found', () => {
  expect(decodeHtml(bytes(0xe4), 'text/html; charset=windows-1252').text).toBe('ä');
  expect(decodeHtml(bytes(0xc3, 0xa4), null).text).toBe('ä');
});
