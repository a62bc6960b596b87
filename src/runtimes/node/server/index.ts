/** The public exports of the Node server: what the command line starts and what it mints tokens with. */
export { readOrCreateSecrets } from './secrets.js';
export { type RunningServer, type ServeOptions, startServer } from './start-server.js';
