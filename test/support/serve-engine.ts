import type { ServeOptions } from '../../src/runtimes/node/server/index.js';
import { type ServedForTest, serveForTest } from './serve.js';
import { edgeVariablesOf, serveEdgeForTest } from './serve-edge.js';

export const AT_EDGE = process.env['SONDE_TEST_ENGINE'] === 'edge';

/** The engine that this project of tests is about, with the same options whichever it is. */
export function serveEngine(options: Partial<ServeOptions> = {}): Promise<ServedForTest> {
  return AT_EDGE ? serveEdgeForTest(edgeVariablesOf(options), options.dataDir) : serveForTest(options);
}
