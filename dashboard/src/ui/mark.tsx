/** The logo, and the shapes next to every state's colour. */
import type { JobEvent } from '../api/types';

export type Tone = 'pass' | 'warn' | 'critical' | 'info' | 'muted';

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d="M8 0v9" fill="none" stroke="currentColor" strokeWidth="1.25" />
      <circle cx="8" cy="11.5" r="3.5" fill="currentColor" />
    </svg>
  );
}

const SHAPES: Readonly<Record<Tone, string>> = {
  pass: 'M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Z',
  warn: 'M8 1 15.5 15H.5Z',
  critical: 'M5 1h6l4 4v6l-4 4H5l-4-4V5Z',
  info: 'M3.5 1.5h9a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2Z',
  muted: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Zm0 2a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7Z',
};

export function Shape({ tone }: { tone: Tone }) {
  return (
    <svg className={`shape is-${tone}`} viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <path d={SHAPES[tone]} />
    </svg>
  );
}

/** A state: shape, colour and word. */
export function State({ tone, children }: { tone: Tone; children: React.ReactNode }) {
  return (
    <span className={`state is-${tone}`}>
      <Shape tone={tone} />
      <span>{children}</span>
    </span>
  );
}

const VERDICTS: Readonly<Record<string, readonly [Tone, string]>> = {
  pass: ['pass', 'Pass'],
  warn: ['warn', 'Warn'],
  fail: ['critical', 'Fail'],
  inconclusive: ['info', 'Inconclusive'],
  failed: ['critical', 'Did not finish'],
  running: ['info', 'Running'],
  queued: ['muted', 'Queued'],
  done: ['pass', 'Done'],
  canceled: ['muted', 'Canceled'],
  completed: ['pass', 'Completed'],
  aborted: ['warn', 'Aborted'],
  timeout: ['critical', 'Timed out'],
  open: ['info', 'Open'],
  closed: ['muted', 'Closed'],
  unanswered: ['critical', 'No response'],
  critical: ['critical', 'Critical'],
  info: ['info', 'Info'],
};

/** The name of the state of a response: how it ended, or what the upstream refused, although all of it arrived. */
export function responseState(response: {
  readonly outcome: string | null;
  readonly upstreamStatus: number | null;
}): string {
  const { outcome, upstreamStatus: status } = response;
  if (outcome === null) return 'open';
  if (status === null) return outcome === 'aborted' ? outcome : 'unanswered';
  return outcome === 'completed' && status >= 400 ? `status ${status}` : outcome;
}

function describe(name: string): readonly [Tone, string] {
  const [, hundreds] = /^status (\d)\d\d$/.exec(name) ?? [];
  if (hundreds !== undefined) return [hundreds === '4' ? 'warn' : 'critical', name.replace('s', 'S')];
  return VERDICTS[name] ?? ['muted', name];
}

/** Whether the state of a response needs a person. */
export function isRefusal(name: string): boolean {
  return name === 'unanswered' || name.startsWith('status ');
}

/** Returns the word for a verdict, severity, status or outcome of the API. */
export function wordOf(name: string): string {
  return describe(name)[1];
}

/** Returns the text of a progress event; a change of status is worded as everywhere else. */
export function eventText({ type, message }: JobEvent): string {
  return type === 'status_changed' ? wordOf(message ?? '') : (message ?? '');
}

/** Shows a verdict, severity, status or outcome by its name in the API. */
export function Status({ of }: { of: string }) {
  return <State tone={toneOf(of)}>{wordOf(of)}</State>;
}

export function toneOf(name: string): Tone {
  return describe(name)[0];
}
