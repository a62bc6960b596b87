/**
 * A long list that renders only the visible rows. Rows are measured, so their heights may differ. A new `getItemKey`
 * makes the virtualizer lay out every row again, so it changes only with the items; and a row of the estimated height
 * moves none of the rows below it.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';

interface VirtualListProps<T> {
  readonly items: ArrayLike<T>;
  readonly label: string;
  /** The usual height of a row; styles make it exact. */
  readonly rowPx: number;
  readonly keyOf: (item: T, index: number) => string | number;
  readonly row: (item: T, index: number) => ReactNode;
  readonly className?: string;
  /** Scrolls this row into view when it changes. */
  readonly active?: number;
}

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, label, rowPx, keyOf, row, className = '', active } = props;
  const frame = useRef<HTMLDivElement>(null);
  const latestKeyOf = useRef(keyOf);
  latestKeyOf.current = keyOf;
  const getItemKey = useCallback((index: number) => latestKeyOf.current(items[index] as T, index), [items]);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 12,
    getItemKey,
  });

  useEffect(() => {
    if (active !== undefined && active >= 0) virtual.scrollToIndex(active, { align: 'auto' });
  }, [active, virtual]);

  return (
    <section
      ref={frame}
      className={`virtual ${className}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
    >
      <div className="virtual-space" style={{ height: virtual.getTotalSize() }}>
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
