/** The public exports of the Node server, for the command line. */
export { readOrCreateSecrets } from './secrets.js';
export { type RunningServer, type ServeOptions, startServer } from './start-server.js';
