/** Runs one case with the real policy, connector, client and redirect code, over a scripted network. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type CaseVerdict,
  createPolicy,
  createScriptedResolver,
  discardBody,
  type EgressCase,
  followRedirects,
  judgeEgressCase,
  type OutboundResult,
} from '../../../net/index.js';
import { createNodeEgress } from '../egress/undici-egress.js';
import { createScriptedDialer } from './scripted-dialer.js';

const TIMEOUT_MS = 10_000;

export async function runEgressCase(test: EgressCase): Promise<CaseVerdict> {
  const resolver = createScriptedResolver(test.resolves);
  const dialer = createScriptedDialer(test);
  const egress = createNodeEgress({ policy: createPolicy(), resolver, dialer, userAgent: 'sonde-net-check' });
  const results: OutboundResult[] = [];
  try {
    for (let i = 0; i < test.requests; i++) {
      const { url, method, headers } = test;
      const body = test.body === undefined ? {} : { body: new TextEncoder().encode(test.body) };
      const result = await followRedirects(egress, {
        url,
        method,
        headers,
        ...body,
        limits: { totalMs: TIMEOUT_MS },
      });
      if (result.ok) await discardBody(result.response.body, 0);
      results.push(result);
      dialer.rewind();
      // A socket returns to the pool one turn after its response has ended.
      await nextTurn();
      await nextTurn();
    }
  } finally {
    await egress.close();
  }
  const lastHop = dialer.lastHop();
  const seen = {
    results,
    connected: dialer.connected,
    lookups: resolver.lookups(),
    ...(lastHop && { lastHop }),
  };
  return judgeEgressCase(test, seen);
}
