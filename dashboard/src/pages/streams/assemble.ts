/** Assembles the text that a model streamed from its events. Events that it does not understand are skipped. */
import type { SseEvent } from '../../live/sse';

interface Delta {
  /** OpenAI: chat completions, and the older completions. */
  readonly choices?: readonly { readonly delta?: { readonly content?: unknown }; readonly text?: unknown }[];
  /** Anthropic: a block's text; OpenAI responses: the text itself. */
  readonly delta?: string | { readonly text?: unknown };
}

export function textOfEvent({ data }: SseEvent): string {
  if (data === '[DONE]') return '';
  try {
    const { choices, delta } = JSON.parse(data) as Delta;
    const found = choices
      ? (choices[0]?.delta?.content ?? choices[0]?.text)
      : typeof delta === 'string'
        ? delta
        : delta?.text;
    return typeof found === 'string' ? found : '';
  } catch {
    return '';
  }
}

/** Returns null if the events are not those of a known model API. */
export function assemble(events: readonly SseEvent[]): string | null {
  const text = events.map(textOfEvent).join('');
  return text === '' ? null : text;
}
