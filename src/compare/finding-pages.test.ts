import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findingPages } from '../../test/support/finding-pages.js';

const folder = fileURLToPath(new URL('../../docs/findings/', import.meta.url));

test('docs/findings matches the rules (if not, run node scripts/write-findings.mjs)', () => {
  const pages = findingPages();
  expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
  for (const [name, text] of pages) expect(readFileSync(folder + name, 'utf8'), name).toBe(text);
});
