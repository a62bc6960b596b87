// Writes test/golden/compare: each pair's envelopes and the bytes of its diff. A test fails if the computed bytes
// differ; run this after a deliberate change, and read what changed before you commit it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url, { fsCache: false });
/** @type {typeof import('../test/support/golden-pairs.js')} */
const { GOLDEN_PAIRS } = await jiti.import('../test/support/golden-pairs.ts');
/** @type {typeof import('../src/compare/index.js')} */
const { computeDiff, serializeDiff } = await jiti.import('../src/compare/index.ts');

const folder = fileURLToPath(new URL('../test/golden/compare/', import.meta.url));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, pair] of Object.entries(GOLDEN_PAIRS)) {
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(pair)}\n`);
  writeFileSync(`${folder}${name}.diff.json`, `${serializeDiff(computeDiff(pair.left, pair.right))}\n`);
}
