// The reference server as a process: file-backed if it is given a folder, otherwise in memory.
import { DurableStreamTestServer } from '@durable-streams/server';

const dataDir = process.argv[2];
const server = new DurableStreamTestServer(dataDir === undefined ? { port: 0 } : { port: 0, dataDir });
console.log(JSON.stringify({ url: await server.start() }));
process.once('SIGTERM', () => process.exit());
