/** Replays a recorded response, each record at the time it arrived. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { StreamTiming } from '../../api/types';
import { SseParser } from '../../live/sse';
import type { StreamModel } from '../../live/stream-model';
import { duration } from '../../ui/time';
import { assemble } from './assemble';

interface ReplayProps {
  readonly model: StreamModel;
  readonly timing: StreamTiming;
}

/** Above this each frame would take too long to draw. */
const BYTES_MAX = 512 * 1024;

export function Replay({ model, timing }: ReplayProps) {
  const marks = useMemo(() => marksOf(timing), [timing]);
  const [at, setAt] = useState<number | null>(null);
  const total = marks.at(-1)?.ms ?? 0;
  const playing = at !== null && at < total;
  useFrames(playing, (passed) => setAt((before) => Math.min(total, (before ?? 0) + passed)));
  if (marks.length === 0) return <p className="muted">No timing was recorded for this response.</p>;
  if (model.bytes > BYTES_MAX) return <p className="muted">Too long to be replayed here.</p>;
  const bytes = at === null ? 0 : (marks.findLast(({ ms }) => ms <= at)?.end ?? 0);
  return (
    <div className="replay">
      <div className="actions">
        <button type="button" className="button" onClick={() => setAt(playing ? null : 0)}>
          {playing ? 'Stop' : 'Replay from the start'}
        </button>
        <progress max={total} value={at ?? 0} aria-label="Replayed" />
        <span className="wire">
          {duration(at ?? 0)} of {duration(total)}
        </span>
      </div>
      {at === null ? null : <div className="assembled">{shownText(model, bytes)}</div>}
    </div>
  );
}

function marksOf({ records }: StreamTiming) {
  let end = 0;
  return records.flatMap(([, bytes, ms]) => {
    end += bytes;
    return ms === null ? [] : { end, ms };
  });
}

function shownText(model: StreamModel, bytes: number): string {
  const text = new TextDecoder().decode(model.slice(0, bytes), { stream: true });
  return model.isSse ? (assemble(new SseParser().push(text)) ?? '') : text;
}

/** Calls back with the milliseconds between frames while it is on. */
function useFrames(on: boolean, onFrame: (passedMs: number) => void): void {
  const latest = useRef(onFrame);
  latest.current = onFrame;
  useEffect(() => {
    if (!on) return;
    let before = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      latest.current(now - before);
      before = now;
      frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [on]);
}
