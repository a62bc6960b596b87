/**
 * The events of a running job that are not written yet. The buffer numbers them, which is safe because only the holder
 * of the lease writes events while the job runs; so a repeated write is recognized. Percent never decreases, not even
 * across attempts. Bounded: if events come faster than they are written, a new event replaces the last one, and a job
 * that reaches the limit gets a warning as its last event.
 */
import type { Redactor } from '../net/index.js';
import type { EventType, NewJobEvent } from './job.js';
import { JOB_LIMITS } from './job-limits.js';

export interface EventDraft {
  readonly type: EventType;
  readonly message?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly percent?: number;
  /** Contains only our own text and numbers, so it needs no redaction. */
  readonly isTrusted?: true;
}

export class ProgressBuffer {
  readonly #redactor: Redactor;
  #pending: NewJobEvent[] = [];
  #seq: number;
  /** The last number that was sent to the store, which may have it. */
  #sent: number;
  #percent: number;
  #emitted = 0;

  constructor(redactor: Redactor, from: { readonly eventSeq: number; readonly progressPct: number | null }) {
    this.#redactor = redactor;
    this.#seq = from.eventSeq;
    this.#sent = from.eventSeq;
    this.#percent = from.progressPct ?? 0;
  }

  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  add(draft: EventDraft): void {
    if (this.#emitted >= JOB_LIMITS.eventsPerJob) return;
    this.#percent = furthest(this.#percent, draft.percent ?? 0);
    if (this.#pending.length >= JOB_LIMITS.eventsPerFlush && this.#seq > this.#sent) {
      this.#pending[this.#pending.length - 1] = this.#event(draft, this.#seq);
      return;
    }
    this.#emitted++;
    const isLast = this.#emitted === JOB_LIMITS.eventsPerJob;
    this.#pending.push(this.#event(isLast ? LIMIT_REACHED : draft, ++this.#seq));
  }

  /** The events to write; they stay until `confirm`. */
  take(): readonly NewJobEvent[] {
    this.#sent = this.#seq;
    return this.#pending;
  }

  /** The store has everything up to this number. */
  confirm(seq: number): void {
    this.#pending = this.#pending.filter((event) => event.seq > seq);
  }

  /** Adds the last event of an attempt. The event of its start is left out if it was not sent yet. */
  close(draft: EventDraft): readonly NewJobEvent[] {
    const sent = this.#pending.filter(({ seq }) => seq <= this.#sent);
    const unsent = this.#pending.filter(({ seq, type }) => seq > this.#sent && type !== 'status_changed');
    this.#percent = furthest(this.#percent, draft.percent ?? 0);
    const renumbered = unsent.map((event, index) => ({ ...event, seq: this.#sent + 1 + index }));
    return [...sent, ...renumbered, this.#event(draft, this.#sent + unsent.length + 1)];
  }

  #event({ type, message, data, percent, isTrusted }: EventDraft, seq: number): NewJobEvent {
    const progressPct = percent === undefined ? null : this.#percent;
    if (isTrusted) return { seq, type, message: message ?? null, data: data ?? null, progressPct };
    return {
      seq,
      type,
      message: message === undefined ? null : this.#redactor.truncated(message, JOB_LIMITS.messageChars),
      data: data === undefined ? null : this.#data(data, type),
      progressPct,
    };
  }

  #data(data: Readonly<Record<string, unknown>>, type: EventType): Readonly<Record<string, unknown>> {
    const redacted = this.#redactor.value(data) as Readonly<Record<string, unknown>>;
    const max = type === 'status_changed' ? JOB_LIMITS.resultChars : JOB_LIMITS.dataChars;
    return JSON.stringify(redacted).length <= max ? redacted : { truncated: true };
  }
}

const LIMIT_REACHED: EventDraft = {
  type: 'warning',
  message: `a job can emit at most ${JOB_LIMITS.eventsPerJob} events; later ones were dropped`,
};

function furthest(before: number, percent: number): number {
  const whole = Number.isFinite(percent) ? Math.round(Math.min(100, Math.max(0, percent))) : 0;
  return Math.max(before, whole);
}
