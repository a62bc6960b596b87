import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the generated files are written from. */
const EXPORTS = `
export { ERROR_CODES } from './src/errors.ts';
export { ERROR_MEANINGS } from './src/error-meanings.ts';
export { PROBE_ERROR_CODES } from './src/probe/signal-envelope.ts';
export { SETTING_ROWS, envName } from './src/config/setting-rows.ts';
export { configSchema } from './src/config/config-schema.ts';
export { createContext } from './src/cli/cli-context.ts';
export { createProgram } from './src/cli/create-program.ts';
export { describeProgram } from './src/cli/completion/describe-program.ts';
export { exitCodeLines } from './src/cli/exit-codes.ts';
export { RULES as AUDIT_RULES } from './src/audits/rules/index.ts';
export { CATEGORY_NAMES } from './src/audits/rule.ts';
export { failureTitle } from './src/audits/rule-title.ts';
export { computeDiff, serializeDiff } from './src/compare/index.ts';
export { findingPages } from './test/support/finding-pages.ts';
export { GOLDEN_PAIRS } from './test/support/golden-pairs.ts';
`;

/** Bundles and loads the sources, which Node cannot load itself. @returns {Promise<Record<string, any>>} */
export async function loadSources() {
  const outfile = join(root, 'dist', `generate-${process.pid}.mjs`);
  await build({
    stdin: { contents: EXPORTS, resolveDir: root, loader: 'ts' },
    ...{ outfile, bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'warning' },
  });
  await stop();
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
