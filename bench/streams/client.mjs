// The client process: runs the operations that the benchmark requests over its channel.

import { append } from './client-appends.mjs';
import { closeReaders, deliver, openReaders } from './client-readers.mjs';
import { readStream } from './client-reads.mjs';

const OPERATIONS = { append, readStream, openReaders, deliver, closeReaders };
/** @typedef {typeof OPERATIONS} Operations */

/** @param {{ id: number, name: keyof Operations, args: never }} message */
async function handle({ id, name, args }) {
  try {
    process.send?.({ id, result: await OPERATIONS[name](args) });
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

process.channel?.ref();
process.on('message', (message) => void handle(/** @type {Parameters<typeof handle>[0]} */ (message)));
process.once('SIGTERM', () => process.exit());
