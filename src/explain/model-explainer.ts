/**
 * Explanations by an OpenAI-compatible endpoint, called through the egress layer. Any failure (no response, an error
 * status, no JSON, a cited finding that does not exist) becomes a failed explanation with its reason, never a failed
 * comparison. The key is only sent in one header and appears nowhere else.
 */
import type { EnvDiff, Finding } from '../compare/index.js';
import { asSondeError } from '../errors.js';
import { createRedactor, type Egress, followRedirects, readBody } from '../net/index.js';
import { trimEnd } from '../trim-end.js';
import { explainDiff } from './explain-diff.js';
import { checkExplanation, type Explanation } from './explanation.js';
import { findJsonObject } from './find-json-object.js';
import { buildPrompt, type PastRun, PROMPT_VERSION } from './model-prompt.js';

export interface ModelSettings {
  /** Including the version: `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly key?: string | undefined;
  readonly timeoutMs?: number;
}

type MaybeUnset<Settings> = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** The settings `explain.*`; undefined unless they name an endpoint and a model. */
export function configuredModel(
  settings: MaybeUnset<Pick<ModelSettings, 'baseUrl' | 'model'>> & Omit<ModelSettings, 'baseUrl' | 'model'>,
): ModelSettings | undefined {
  const { baseUrl, model } = settings;
  return baseUrl === undefined || model === undefined ? undefined : { ...settings, baseUrl, model };
}

export type ExplanationOutcome = { readonly model: string; readonly promptVersion: number } & (
  | { readonly state: 'ready'; readonly explanation: Explanation }
  | { readonly state: 'failed'; readonly error: { readonly code: string; readonly message: string } }
);

export interface Explainer {
  /** Never rejects. */
  explain(diff: EnvDiff, history: readonly PastRun[], signal?: AbortSignal): Promise<ExplanationOutcome>;
}

const TIMEOUT_MS = 60_000;
const RESPONSE_BYTES_MAX = 1024 * 1024;
const TOKENS_MAX = 2048;

export function createModelExplainer(egress: Egress, settings: ModelSettings): Explainer {
  const secrets = settings.key === undefined ? [] : [settings.key];
  return createCheckedExplainer({ model: settings.model, secrets }, (question) =>
    callEndpoint(egress, settings, question),
  );
}

/** Wraps a call of any model with the checks that every response must pass. */
export function createCheckedExplainer(
  { model, secrets }: { readonly model: string; readonly secrets: readonly string[] },
  callModel: (question: Question) => Promise<ModelReply>,
): Explainer {
  const redactor = createRedactor({ secrets });
  const modelInfo = { model, promptVersion: PROMPT_VERSION };
  const failed = (code: string, message: string): ExplanationOutcome => ({
    state: 'failed',
    error: { code, message: redactor.truncated(message, 500) },
    ...modelInfo,
  });
  return {
    async explain(diff, history, signal) {
      try {
        const reply = await callModel({ diff, history, ...(signal && { signal }) });
        if (!reply.ok) return failed(reply.code, reply.why);
        const checked = checkExplanation(reply.value, new Set(diff.findings.map(({ id }: Finding) => id)));
        if (!checked.ok)
          return failed('invalid_explanation', `the model's response is not usable: ${checked.why}`);
        const explanation = redactor.value(checked.explanation) as Explanation;
        return { state: 'ready', explanation, ...modelInfo };
      } catch (thrown) {
        const error = asSondeError(thrown, 'fetch_error');
        return failed(error.code, error.message);
      }
    },
  };
}

export interface Question {
  readonly diff: EnvDiff;
  readonly history: readonly PastRun[];
  readonly signal?: AbortSignal;
}

export type ModelReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly why: string };

const unusable = (why: string): ModelReply => ({ ok: false, code: 'invalid_explanation', why });

async function callEndpoint(
  egress: Egress,
  settings: ModelSettings,
  question: Question,
): Promise<ModelReply> {
  const { diff, history, signal } = question;
  const { baseUrl, model, key, timeoutMs = TIMEOUT_MS } = settings;
  const body = {
    model,
    messages: buildPrompt(diff, explainDiff(diff), history),
    temperature: 0,
    max_tokens: TOKENS_MAX,
    response_format: { type: 'json_object' },
  };
  const result = await followRedirects(egress, {
    url: `${trimEnd(baseUrl, '/')}/chat/completions`,
    method: 'POST',
    headers: [
      ['content-type', 'application/json'],
      ...(key === undefined ? [] : [['authorization', `Bearer ${key}`] as const]),
    ],
    body: new TextEncoder().encode(JSON.stringify(body)),
    limits: { totalMs: timeoutMs },
    // A redirect would send the key and the findings to a host that was not configured.
    maxRedirects: 0,
    ...(signal && { signal }),
  });
  if (!result.ok) return { ok: false, code: result.error.code, why: result.error.message };
  const { status } = result.response;
  const { bytes, truncated } = await readBody(result.response.body, RESPONSE_BYTES_MAX);
  if (status !== 200)
    return { ok: false, code: 'model_error', why: `the model's endpoint responded with ${status}` };
  if (truncated) return unusable(`the model's response is larger than ${RESPONSE_BYTES_MAX} bytes`);
  return contentOf(new TextDecoder().decode(bytes));
}

function contentOf(text: string): ModelReply {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    return unusable("the model's endpoint did not return JSON");
  }
  const content = textOf(reply);
  if (content === undefined) return unusable("the model's endpoint returned no message");
  return parseReply(content);
}

/** The JSON object in a model's message. */
export function parseReply(message: string): ModelReply {
  const found = findJsonObject(message);
  return found === undefined
    ? unusable("the model's message contains no JSON object")
    : { ok: true, value: found };
}

/** `choices[0].message.content`, a text or a list of text parts. */
function textOf(reply: unknown): string | undefined {
  const { choices } = (reply ?? {}) as { choices?: ({ message?: { content?: unknown } | null } | null)[] };
  const content = choices?.[0]?.message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .map((part: { text?: unknown } | null) => part?.text)
    .filter((text) => typeof text === 'string')
    .join('');
}
