/** The main export of the package: what configuration files and error handlers need, on any runtime. */
export { defineConfig } from './config/define-config.js';
export type { Settings, SondeConfig } from './config/settings.js';
export { ERROR_CODES, type ErrorCode, type ErrorDetails, SondeError } from './errors.js';
export { VERSION } from './version.js';
