/**
 * An explanation by a model that the platform binds, such as Workers AI: asked without the network, held to the same
 * checks as any other. What it costs in time is bounded here, since the binding has no bound of its own.
 */
import { SondeError } from '../errors.js';
import { explainDiff } from './explain-diff.js';
import { type Explainer, explainerOver, type ModelReply, replyIn } from './model-explainer.js';
import { buildPrompt, type Message } from './model-prompt.js';

export interface BoundModel {
  readonly model: string;
  /** Responds with `{response}`: the text, or the object that it holds. */
  run(input: { readonly messages: readonly Message[]; readonly max_tokens: number }): Promise<unknown>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;
const TOKENS_MAX = 2048;

export function createBoundExplainer({ model, run, timeoutMs = TIMEOUT_MS }: BoundModel): Explainer {
  return explainerOver({ model, secrets: [] }, async ({ diff, history, signal }) => {
    const messages = buildPrompt(diff, explainDiff(diff), history);
    const timer = AbortSignal.timeout(timeoutMs);
    const over = signal ? AbortSignal.any([signal, timer]) : timer;
    const late = new Promise<never>((_resolve, reject) => {
      const stop = () => reject(new SondeError('timeout', `the model took longer than ${timeoutMs} ms`));
      over.addEventListener('abort', stop, { once: true });
    });
    return read(await Promise.race([run({ messages, max_tokens: TOKENS_MAX }), late]));
  });
}

function read(reply: unknown): ModelReply {
  const response = (reply as { readonly response?: unknown } | null)?.response;
  if (typeof response === 'string') return replyIn(response);
  if (response !== null && typeof response === 'object') return { ok: true, value: response };
  return { ok: false, code: 'invalid_explanation', why: 'the model returned no response' };
}
