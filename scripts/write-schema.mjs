// Writes the JSON Schema of the configuration file into schema/, from the table of settings. A unit test fails if the
// file is not up to date.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url, { fsCache: false });
/** @type {{ configSchema: () => unknown }} */
const { configSchema } = await jiti.import('../src/config/config-schema.ts');
const file = fileURLToPath(new URL('../schema/sonde.config.schema.json', import.meta.url));
writeFileSync(file, `${JSON.stringify(configSchema(), null, 2)}\n`);
