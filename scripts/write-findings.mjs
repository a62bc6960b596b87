// Writes docs/findings from the rules and their examples. A unit test fails if a page is not up to date.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url, { fsCache: false });
/** @type {typeof import('../test/support/finding-pages.js')} */
const { findingPages } = await jiti.import('../test/support/finding-pages.ts');
const folder = fileURLToPath(new URL('../docs/findings/', import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of findingPages()) writeFileSync(folder + name, text);
