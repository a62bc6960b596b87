// The edge engine as a process: the built Worker in workerd, with its state in the given folder.
import { randomBytes } from 'node:crypto';
import { startEdge } from '../../scripts/edge-server.mjs';

const edge = await startEdge({
  stateFolder: process.argv[2] ?? '',
  variables: {
    SONDE_AUTH: 'none',
    SONDE_SECRET: randomBytes(32).toString('base64url'),
    SONDE_RATE_PER_MINUTE: '0',
    SONDE_LOG_LEVEL: 'error',
  },
});
console.log(JSON.stringify({ url: edge.url }));
process.once('SIGTERM', () => void edge.stop().then(() => process.exit()));
