import type { SondeConfig } from './settings.js';

/** Gives a `sonde.config.ts` its types: `export default defineConfig({ server: { port: 8080 } })`. */
export const defineConfig = (config: SondeConfig): SondeConfig => config;
