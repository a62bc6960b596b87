/** A long list of which only the visible rows exist. Rows are measured, so their heights may differ. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

interface VirtualListProps<T> {
  readonly items: ArrayLike<T>;
  readonly label: string;
  readonly rowPx: number;
  readonly keyOf: (item: T, index: number) => string | number;
  readonly row: (item: T, index: number) => ReactNode;
  readonly className?: string;
  /** Keeps the end in view as rows arrive. */
  readonly follow?: boolean;
  /** Told when the reader scrolls away from the end, or back to it. */
  readonly onAtEnd?: (atEnd: boolean) => void;
  /** Scrolls this row into view when it changes. */
  readonly active?: number;
}

const END_PX = 48;

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, label, rowPx, keyOf, row, className = '', follow = false, onAtEnd, active } = props;
  const frame = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 12,
    getItemKey: (index) => keyOf(items[index] as T, index),
  });

  const height = virtual.getTotalSize();
  // Rows are measured once they are drawn, which moves the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is what it waits for
  useEffect(() => {
    if (follow && items.length > 0) virtual.scrollToIndex(items.length - 1, { align: 'end' });
  }, [follow, items.length, virtual, height]);
  useEffect(() => {
    if (active !== undefined && active >= 0) virtual.scrollToIndex(active, { align: 'auto' });
  }, [active, virtual]);

  const onScroll = () => {
    const { current } = frame;
    if (!current) return;
    const atEnd = current.scrollHeight - current.scrollTop - current.clientHeight < END_PX;
    // Only a reader scrolls up; on the way to the end the list itself is not there yet.
    if (atEnd || current.scrollTop < lastTop.current) onAtEnd?.(atEnd);
    lastTop.current = current.scrollTop;
  };
  return (
    <section
      ref={frame}
      className={`virtual ${className}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      onScroll={onScroll}
    >
      <div className="virtual-space" style={{ height }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            className="virtual-row"
            style={{ transform: `translateY(${start}px)` }}
          >
            {row(items[index] as T, index)}
          </div>
        ))}
      </div>
    </section>
  );
}
