/** The public exports of the Node server, for the command line. */
export { type RunningServer, type ServeOptions, startServer } from './start-server.js';
