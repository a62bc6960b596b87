/** Plots one hour of one-minute points. */
import { useMemo } from 'react';
import type { System } from '../../api/types';
import type { Tone } from '../../ui/mark';
import { Panel } from '../../ui/page';
import { Plot } from '../../ui/plot';
import { Empty } from '../../ui/states';

type Point = NonNullable<System['points']>[number];

const PLOTS: readonly {
  title: string;
  of: readonly (readonly [string, (point: Point) => number | undefined, Tone?])[];
}[] = [
  {
    title: 'Requests and errors per minute',
    of: [
      ['Requests', (p) => p.requests],
      ['Errors', (p) => p.errors, 'critical'],
    ],
  },
  {
    title: 'Jobs',
    of: [
      ['Queued', (p) => p.queued],
      ['Running', (p) => p.running, 'info'],
    ],
  },
  { title: 'Oldest job in the queue, seconds', of: [['Seconds', (p) => (p.oldestQueuedMs ?? 0) / 1_000]] },
  {
    title: 'Responses and refusals',
    of: [
      ['Responses', (p) => p.responses],
      ['Refusals', (p) => p.refusals, 'warn'],
    ],
  },
];

export function LastHour({ points }: { points: readonly Point[] }) {
  const times = useMemo(() => points.map(({ at }) => Date.parse(at) / 1_000), [points]);
  const plots = useMemo(
    () =>
      PLOTS.map(({ title, of }) => ({
        title,
        series: of.map(([label, read, tone]) => ({
          label,
          values: points.map((point) => read(point) ?? null),
          ...(tone && { tone }),
        })),
      })),
    [points],
  );
  if (points.length < 2) {
    return (
      <Panel title="The last hour">
        <Empty title="No history yet">A data point is added every minute and kept for an hour.</Empty>
      </Panel>
    );
  }
  return (
    <div className="grid">
      {plots.map(({ title, series }) => (
        <Panel key={title} title={title}>
          <Plot times={times} series={series} />
        </Panel>
      ))}
    </div>
  );
}
