/** Progress events of one piece of work, in order: fetched in pages, again whenever the feed reports a change. */
import { useEffect, useState } from 'react';
import { errorOf, send } from '../api/client';
import type { JobEvent } from '../api/types';
import { useConnection } from './connection';

const POLL_MS = 1_000;

/** `path` is that of the resource, such as `/api/audits/…`; null while there is nothing to follow. */
export function useJobEvents(path: string | null): readonly JobEvent[] {
  const [events, setEvents] = useState<readonly JobEvent[]>([]);
  const { subscribe } = useConnection();

  useEffect(() => {
    setEvents([]);
    if (path === null) return;
    const stop = new AbortController();
    let wake = () => {};
    const unsubscribe = subscribe(({ kind }) => {
      if (kind !== 'stream' && kind !== 'response') wake();
    });
    const follow = async () => {
      let after = 0;
      while (!stop.signal.aborted) {
        const page = await readPage(path, after, stop.signal).catch(() => undefined);
        if (page && page.events.length > 0) {
          after = page.next;
          setEvents((known) => [...known, ...page.events]);
        } else if (page?.ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, POLL_MS);
        });
      }
    };
    void follow();
    return () => {
      unsubscribe();
      stop.abort();
    };
  }, [path, subscribe]);
  return events;
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
