/** When each stored record arrived after the request was sent: the first, the last, and a mark for each on one line. */
import type { StreamTiming } from '../../api/types';
import { count, duration } from '../../ui/time';

const WIDTH = 1_000;
const HEIGHT = 64;
/** More marks than this cannot be distinguished on a screen. */
const MARKS_MAX = 2_000;

interface TokenTimelineProps {
  readonly timing: StreamTiming;
  /** The time from sending the request to the response head, from which the records count. */
  readonly headMs: number;
  readonly ended: boolean;
}

export function TokenTimeline({ timing, headMs, ended }: TokenTimelineProps) {
  const timed = timing.records.flatMap(([, bytes, ms]) => (ms === null ? [] : { bytes, ms: headMs + ms }));
  const [first] = timed;
  const last = timed.at(-1);
  if (!first || !last) return <p className="muted">No timing was recorded for this response.</p>;
  const total = Math.max(1, last.ms);
  const most = timed.reduce((max, { bytes }) => Math.max(max, bytes), 1);
  const every = Math.ceil(timed.length / MARKS_MAX);
  const gap = timed.reduce(
    (max, { ms }, at) => Math.max(max, at === 0 ? 0 : ms - (timed[at - 1]?.ms ?? ms)),
    0,
  );
  const words = `First byte after ${duration(first.ms)}, last after ${duration(last.ms)}, ${timed.length} records`;
  return (
    <figure className="timeline-figure">
      <ul className="pace">
        <li>
          <strong>{duration(first.ms)}</strong> to the first token
        </li>
        <li>
          <strong>{duration(last.ms)}</strong> {ended ? 'in total' : 'so far'}
        </li>
        <li>
          <strong>{count(timed.length, 'record')}</strong>
        </li>
        <li>
          <strong>{duration(gap)}</strong> longest pause
        </li>
      </ul>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
        <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} className="axis" />
        {timed
          .filter((_mark, at) => at % every === 0)
          .map(({ bytes, ms }, at) => (
            <line
              // biome-ignore lint/suspicious/noArrayIndexKey: several records may arrive in one millisecond
              key={at}
              x1={(ms / total) * (WIDTH - 2) + 1}
              x2={(ms / total) * (WIDTH - 2) + 1}
              y1={HEIGHT - 2 - Math.max(6, (bytes / most) * (HEIGHT - 8))}
              y2={HEIGHT - 2}
              className="tick"
            />
          ))}
      </svg>
      <figcaption className="timeline-scale small muted">
        <span>0</span>
        <span>each line is a stored record, its height the number of bytes</span>
        <span>{duration(total)}</span>
      </figcaption>
    </figure>
  );
}
