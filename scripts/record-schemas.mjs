// `npm run record-schemas`: records the schemas that have a new version, and writes test/fixtures/schemas/data if it is
// missing. `-- --replace` records all of them again, which is right only before the version is released.
import { spawnSync } from 'node:child_process';

const SONDE_RECORD_SCHEMAS = process.argv.includes('--replace') ? 'replace' : 'new';
const args = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--project',
  'node',
  'test/engines/recorded-data.test.ts',
];
const { status } = spawnSync(process.execPath, args, {
  env: { ...process.env, SONDE_RECORD_SCHEMAS },
  stdio: 'inherit',
});
process.exit(status ?? 1);
