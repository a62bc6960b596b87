// Writes docs/WORDING.txt, which lists every text that a user can read, and prints it.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url, { fsCache: false });
/** @type {typeof import('../test/support/wording.js')} */
const { wordingFile } = await jiti.import('../test/support/wording.ts');
const text = wordingFile();
writeFileSync(fileURLToPath(new URL('../docs/WORDING.txt', import.meta.url)), text);
process.stdout.write(text);
