import { runConformanceTests } from '@durable-streams/server-conformance-tests';
import { afterAll, beforeAll } from 'vitest';
import { type ServedForTest, serveForTest } from '../support/serve.js';
import { stretchTimes } from '../support/stretched-times.js';

/** The public suite of the protocol, over the server's real HTTP port. */
const target = { baseUrl: '', subscriptions: true };
let server: ServedForTest;

beforeAll(async () => {
  server = await serveForTest();
  target.baseUrl = server.url;
});
afterAll(() => server.stop());

stretchTimes();
runConformanceTests(target);
