import { runConformanceTests } from '@durable-streams/server-conformance-tests';
import { afterAll, beforeAll } from 'vitest';
import { type ServedEdge, serveEdgeForTest } from '../support/serve-edge.js';
import { stretchTimes } from '../support/stretched-times.js';

/** The public suite of the protocol, against the Worker over HTTP. */
const target = { baseUrl: '', subscriptions: true };
let edge: ServedEdge;

beforeAll(async () => {
  edge = await serveEdgeForTest();
  target.baseUrl = edge.url;
});
afterAll(() => edge.stop());

stretchTimes();
runConformanceTests(target);
