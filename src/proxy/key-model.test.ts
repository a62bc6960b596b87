/**
 * Random histories of one key: outcomes of the upstream, repeats one by one and at once, restarts and crashes. Whatever
 * happens, no two attempts are in flight, none follows one that was answered with 2xx or whose outcome is unknown, and
 * a repeat is sent if the last attempt left the key open.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  answer,
  silence,
  unreachable,
  useProxyService,
  wholeBody,
} from '../../test/support/proxy-service-bench.js';
import { settle } from '../../test/support/pump-bench.js';
import { ScriptedBody } from '../../test/support/scripted-body.js';
import { SondeError } from '../errors.js';
import type { OutboundRequest, OutboundResult } from '../net/index.js';
import type { StreamResponse } from '../streams/index.js';

const bench = useProxyService();

interface Outcome {
  /** Whether a repeat is sent after it. */
  readonly open: boolean;
  reply(request: OutboundRequest): OutboundResult | Promise<OutboundResult>;
}

const broken = (): ScriptedBody => {
  const body = new ScriptedBody();
  body.say('part');
  body.fail('fetch_error', 'reset');
  return body;
};
const ended = (): ScriptedBody => {
  const body = new ScriptedBody();
  body.say('not now');
  body.end();
  return body;
};

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  '200': { open: false, reply: () => answer(200) },
  '200, cut': { open: false, reply: () => answer(200, [], broken()) },
  '302': { open: false, reply: () => answer(302) },
  '404': { open: false, reply: () => answer(404, [], ended()) },
  '429': { open: true, reply: () => answer(429, [], ended()) },
  '429 at once': { open: true, reply: () => answer(429, [], wholeBody('not now')) },
  '429, cut': { open: false, reply: () => answer(429, [], broken()) },
  '503': { open: true, reply: () => answer(503, [], ended()) },
  reset: { open: false, reply: () => unreachable(new SondeError('fetch_error', 'lost')) },
  'no connection': { open: true, reply: () => unreachable(new SondeError('connect_error', 'refused')) },
  crash: { open: false, reply: silence },
};

const step = fc.record({
  outcome: fc.constantFrom(...Object.keys(OUTCOMES), '429', '503', 'no connection'),
  repeats: fc.integer({ min: 1, max: 4 }),
  restart: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Response = StreamResponse | SondeError;

let keys = 0;

/** The key as it should be. */
class Model {
  isOpen = true;
  attempts = 0;

  async take({ outcome: name, repeats, restart }: Step, send: () => Promise<Response>): Promise<void> {
    const { open, reply } = OUTCOMES[name] as Outcome;
    let calls = 0;
    bench.reply = async (request) => {
      calls++;
      return reply(request);
    };
    const sent = Array.from({ length: repeats }, send);
    const responses = name === 'crash' && this.isOpen ? await settle() : await Promise.all(sent);
    expect(calls, `${name} while the key is ${this.isOpen ? 'open' : 'final'}`).toBe(this.isOpen ? 1 : 0);
    if (this.isOpen) {
      this.attempts++;
      this.isOpen = open;
      if (responses) expect(numberOfFresh(responses)).toBe(this.attempts);
    }
    await settle();
    if (!restart && name !== 'crash') return;
    await bench.begin();
    await bench.service.recover();
  }
}

/** The attempt that the one response names which is neither a replay nor a refusal of a simultaneous repeat. */
function numberOfFresh(responses: readonly Response[]): number {
  const [fresh, ...others] = responses.filter(
    (each): each is StreamResponse =>
      !(each instanceof SondeError) &&
      each.error?.code !== 'CREATE_IN_PROGRESS' &&
      !each.headers['Idempotent-Replayed'],
  );
  expect(others).toEqual([]);
  return Number(fresh?.headers['Sonde-Attempt'] ?? 1);
}

test.each(['create', 'inline'] as const)('the attempts of a key, by %s', async (way) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await bench.begin();
      const headers = { 'idempotency-key': `model-${way}-${++keys}`, authorization: 'Bearer t' };
      const send = (): Promise<Response> =>
        (way === 'create' ? bench.create(headers) : bench.inline({ method: 'POST', headers })).catch(
          (error: SondeError) => error,
        );
      const model = new Model();
      for (const each of steps) await model.take(each, send);
    }),
    { numRuns: 60 },
  );
});
