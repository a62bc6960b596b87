/**
 * A long list of rows of equal height that renders only the visible ones and can follow its end. Nothing is measured,
 * so that neither scrolling nor a new row costs more with a hundred thousand rows than with ten.
 */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface TailListProps {
  readonly count: number;
  readonly label: string;
  readonly rowPx: number;
  readonly row: (index: number) => ReactNode;
  /** Keeps the end in view as rows arrive. */
  readonly follow: boolean;
  /** Called when the user scrolls away from the end, or back to it. */
  readonly onAtEnd: (atEnd: boolean) => void;
}

const END_PX = 48;
const OVERSCAN = 12;

export function TailList({ count, label, rowPx, row, follow, onAtEnd }: TailListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });
  const height = count * rowPx;

  useLayoutEffect(() => {
    const { current } = frame;
    if (current && follow) current.scrollTop = height;
  }, [follow, height]);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const look = () => setView({ top: current.scrollTop, height: current.clientHeight });
    const resize = new ResizeObserver(look);
    resize.observe(current);
    look();
    return () => resize.disconnect();
  }, []);

  const onScroll = () => {
    const { current } = frame;
    if (!current) return;
    const { scrollTop: top, clientHeight } = current;
    const atEnd = height - top - clientHeight < END_PX;
    // Only the user scrolls up; the list itself moves towards its end.
    if (atEnd || top < view.top) onAtEnd(atEnd);
    setView({ top, height: clientHeight });
  };
  const first = Math.max(0, Math.floor(view.top / rowPx) - OVERSCAN);
  const end = Math.min(count, Math.ceil((view.top + view.height) / rowPx) + OVERSCAN);
  return (
    <section
      ref={frame}
      className="virtual wire tail"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
    >
      <div className="virtual-space" style={{ height }}>
        <div className="tail-rows" style={{ transform: `translateY(${first * rowPx}px)` }}>
          {numbers(first, end).map((index) => (
            <div key={index} className="virtual-row" style={{ height: rowPx }}>
              {row(index)}
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}
