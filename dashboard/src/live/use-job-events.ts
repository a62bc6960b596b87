/** Progress events of one job, in order: fetched in pages, and again whenever the feed reports a change. */
import { useEffect, useRef, useState } from 'react';
import { errorOf, send } from '../api/client';
import type { JobEvent } from '../api/types';
import { useConnection } from './connection';

/** Without the feed, only polling finds new events. */
const POLL_MS = { live: 10_000, otherwise: 1_000 } as const;

/** `path` is that of the resource, such as `/api/audits/…`; null while there is nothing to follow. */
export function useJobEvents(path: string | null): readonly JobEvent[] {
  const [events, setEvents] = useState<readonly JobEvent[]>([]);
  const { subscribe, feed } = useConnection();
  const pollMs = useRef<number>(POLL_MS.otherwise);
  pollMs.current = feed === 'live' ? POLL_MS.live : POLL_MS.otherwise;

  useEffect(() => {
    setEvents([]);
    if (path === null) return;
    const stop = new AbortController();
    const bell = new Bell();
    const unsubscribe = subscribe(({ kind }) => {
      if (kind === 'job') bell.ring();
    });
    const follow = async () => {
      let after = 0;
      while (!stop.signal.aborted) {
        const page = await readPage(path, after, stop.signal).catch(() => undefined);
        if (page && page.events.length > 0) {
          after = page.next;
          setEvents((known) => [...known, ...page.events]);
        } else if (page?.ended) return;
        else await bell.wait(pollMs.current);
      }
    };
    void follow();
    return () => {
      unsubscribe();
      stop.abort();
      bell.ring();
    };
  }, [path, subscribe]);
  return events;
}

/** Step names are for the machine; a message next to them describes the step. */
export function isForPeople({ type, message }: JobEvent): boolean {
  return !type.startsWith('step_') && message !== null && message !== '';
}

/** Returns the progress of the work, in percent. */
export function progressOf(events: readonly JobEvent[]): number {
  return events.reduce((most, event) => Math.max(most, event.progress ?? 0), 0);
}

/** Ends a wait, including one that starts only afterwards. */
class Bell {
  #rang = false;
  #wake = () => {};

  ring(): void {
    this.#rang = true;
    this.#wake();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rang) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#rang = false;
  }
}

interface EventPage {
  readonly events: readonly JobEvent[];
  readonly next: number;
  readonly ended: boolean;
}

async function readPage(path: string, after: number, signal: AbortSignal): Promise<EventPage> {
  const response = await send(`${path}/events?after=${after}&limit=500`, {
    headers: { Accept: 'application/json' },
    signal,
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as EventPage;
}
