/**
 * Explanations by a model that the platform binds, such as Workers AI. It is called without the network and its
 * response passes the same checks as any other. The timeout is enforced here, because the binding has none.
 */
import { SondeError } from '../errors.js';
import { explainDiff } from './explain-diff.js';
import { createCheckedExplainer, type Explainer, type ModelReply, parseReply } from './model-explainer.js';
import { buildPrompt, type Message } from './model-prompt.js';

export interface BoundModel {
  readonly model: string;
  /** Resolves to `{response}`: the text, or the object parsed from it. */
  run(input: { readonly messages: readonly Message[]; readonly max_tokens: number }): Promise<unknown>;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;
const TOKENS_MAX = 2048;

export function createBoundExplainer({ model, run, timeoutMs = TIMEOUT_MS }: BoundModel): Explainer {
  return createCheckedExplainer({ model, secrets: [] }, async ({ diff, history, signal }) => {
    const messages = buildPrompt(diff, explainDiff(diff), history);
    const timer = AbortSignal.timeout(timeoutMs);
    const stopped = signal ? AbortSignal.any([signal, timer]) : timer;
    const timeout = new Promise<never>((_resolve, reject) => {
      const stop = () => reject(new SondeError('timeout', `the model took longer than ${timeoutMs} ms`));
      stopped.addEventListener('abort', stop, { once: true });
    });
    return readReply(await Promise.race([run({ messages, max_tokens: TOKENS_MAX }), timeout]));
  });
}

function readReply(reply: unknown): ModelReply {
  const response = (reply as { readonly response?: unknown } | null)?.response;
  if (typeof response === 'string') return parseReply(response);
  if (response !== null && typeof response === 'object') return { ok: true, value: response };
  return { ok: false, code: 'invalid_explanation', why: 'the model returned no response' };
}
