/** A plot of values over time, drawn by uPlot, which is loaded when the first plot is shown. */
import { useEffect, useRef } from 'react';
import type uPlot from 'uplot';
import type { Tone } from './mark';

interface PlotProps {
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly {
    readonly label: string;
    readonly values: readonly (number | null)[];
    /** The accent colour by default. */
    readonly tone?: Tone;
  }[];
  readonly range?: readonly [number, number];
}

const HEIGHT_PX = 160;

/**
 * uPlot formats numbers in the browser's language as soon as it is loaded. A browser without a locale reports
 * "en-US@posix", which is not a valid language tag, and uPlot would throw.
 */
async function loadPlotter(): Promise<typeof uPlot> {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US' });
  }
  const [{ default: Plotter }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  return Plotter;
}

export function Plot({ times, series, range }: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    let plot: uPlot | undefined;
    let left = false;
    const resize = new ResizeObserver(() => plot?.setSize({ width: current.clientWidth, height: HEIGHT_PX }));
    void loadPlotter().then((Plotter) => {
      if (left) return;
      plot = new Plotter(
        optionsOf(current, series, range),
        [[...times], ...series.map(({ values }) => [...values])],
        current,
      );
      resize.observe(current);
    });
    return () => {
      left = true;
      resize.disconnect();
      plot?.destroy();
    };
  }, [times, series, range]);
  const words = series
    .map(({ label, values }) => `${label}: ${values.at(-1) ?? 'none'} at the end`)
    .join('; ');
  const className = series.length > 1 ? 'plot has-legend' : 'plot';
  return <div ref={frame} className={className} role="img" aria-label={words} />;
}

/** Below this, the axis would show seconds, and its labels would not fit. */
const X_SECONDS_MIN = 3_600;
const X_LABEL_PX = 80;
/** With fewer values, each is drawn as a point on its line. */
const POINTS_DRAWN_BELOW = 15;

/** Counts are whole numbers, and so are the grid lines. */
const Y_STEPS = Array.from({ length: 9 }, (_, digits) => [1, 2, 5].map((n) => n * 10 ** digits)).flat();

const DAYS_SECONDS_MIN = 2 * 86_400;

function timeLabels(plot: uPlot, seconds: readonly number[]): readonly string[] {
  const { min = 0, max = 0 } = plot.scales['x'] ?? {};
  const format = new Intl.DateTimeFormat(
    undefined,
    max - min < DAYS_SECONDS_MIN
      ? { hour: 'numeric', minute: '2-digit' }
      : { day: 'numeric', month: 'short' },
  );
  return seconds.map((at) => format.format(at * 1_000));
}

function optionsOf(
  frame: HTMLElement,
  series: PlotProps['series'],
  range: PlotProps['range'],
): uPlot.Options {
  const style = getComputedStyle(frame);
  const colour = (name: string) => style.getPropertyValue(name);
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: frame.clientWidth,
    height: HEIGHT_PX,
    cursor: { y: false },
    legend: { show: series.length > 1, live: false },
    scales: {
      // Nothing is known about the time after the last point.
      x: { range: (_plot, from, to) => [Math.min(from, to - X_SECONDS_MIN), to] },
      y: range
        ? { range: [range[0], range[1]] }
        : { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] },
    },
    axes: [
      { ...axis, size: 32, space: X_LABEL_PX, values: (plot, seconds) => [...timeLabels(plot, seconds)] },
      { ...axis, size: 48, incrs: Y_STEPS },
    ],
    series: [
      {},
      ...series.map(({ label, tone }, at) => ({
        label,
        stroke: colour(tone ? `--${tone}` : '--accent'),
        width: 2,
        // Distinguishable without colours, too.
        ...(at > 0 && { dash: [6, 4] }),
        points: {
          fill: colour('--panel'),
          show: (series[0]?.values.length ?? 0) < POINTS_DRAWN_BELOW,
        },
      })),
    ],
  };
}
