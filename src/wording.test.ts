import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wordingFile } from '../test/support/wording.js';

// Parses every source file, which is slow on a busy machine.
test('docs/WORDING.txt lists the current texts; `npm run wording` updates it', { timeout: 180_000 }, () => {
  const stored = readFileSync(new URL('../docs/WORDING.txt', import.meta.url), 'utf8');
  expect(wordingFile() === stored, 'run `npm run wording`').toBe(true);
});
