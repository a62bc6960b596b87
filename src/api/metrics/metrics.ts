/**
 * A small Prometheus registry (text format 0.0.4). Every metric is declared once with its labels, and the number of its
 * series is bounded: beyond `seriesMax`, new label values are counted as `other`, so callers cannot grow this process.
 */
const SERIES_MAX = 500;
const OVERFLOW = 'other';

export interface MetricSpec {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly seriesMax?: number;
}

/** Label values, in the order in which the metric declares its labels. */
export type LabelValues = readonly string[];

export interface Sum {
  add(amount: number, values?: LabelValues): void;
}

export interface Histogram {
  observe(value: number, values?: LabelValues): void;
}

interface Metric {
  readonly spec: MetricSpec;
  readonly type: 'counter' | 'gauge' | 'histogram';
  lines(): Iterable<string>;
}

/** Shorter than the timeout of any scraper. A stalled store must not hide the other metrics. */
const SAMPLE_MS = 1_000;

export class Metrics {
  readonly #metrics = new Map<string, Metric>();
  readonly #samples: (() => Promise<void>)[] = [];

  counter(spec: MetricSpec): Sum {
    return this.#sum(spec, 'counter');
  }

  gauge(spec: MetricSpec): Sum {
    return this.#sum(spec, 'gauge');
  }

  /** Declares a metric whose value is read when the metrics are rendered. */
  observed(spec: MetricSpec, type: 'counter' | 'gauge', read: () => number): void {
    this.observedSeries(spec, type, () => [[[], read()]]);
  }

  /** Like `observed`, with one value for each of a fixed set of label values. */
  observedSeries(
    spec: MetricSpec,
    type: 'counter' | 'gauge',
    read: () => Iterable<readonly [LabelValues, number]>,
  ): void {
    this.#declare({
      spec,
      type,
      lines: () => [...read()].map(([values, value]) => sample(spec.name, pairsOf(spec, values), value)),
    });
  }

  /**
   * Declares something that is read asynchronously before the metrics are rendered. The returned function returns the
   * value, or undefined if it could not be read in time; its series must then be left out.
   */
  sampled<T>(read: () => Promise<T>): () => T | undefined {
    let found: T | undefined;
    let reading: Promise<void> | undefined;
    this.#samples.push(() => {
      // Scrapes at the same time share one read.
      reading ??= readWithin(SAMPLE_MS, read, (value) => {
        found = value;
      }).finally(() => {
        reading = undefined;
      });
      return reading;
    });
    return () => found;
  }

  /** Reads what is sampled; call it before `render`. */
  async refresh(): Promise<void> {
    await Promise.all(this.#samples.map((sample) => sample()));
  }

  histogram(spec: MetricSpec, buckets: readonly number[]): Histogram {
    const series = new Series(spec, () => ({ counts: buckets.map(() => 0), count: 0, sum: 0 }));
    this.#declare({ spec, type: 'histogram', lines: () => histogramLines(spec, buckets, series) });
    return {
      observe(value, values = []) {
        const state = series.of(values);
        state.count += 1;
        state.sum += value;
        const index = buckets.findIndex((bound) => value <= bound);
        if (index !== -1) state.counts[index] = (state.counts[index] ?? 0) + 1;
      },
    };
  }

  render(): string {
    const lines: string[] = [];
    for (const { spec, type, lines: samples } of this.#metrics.values()) {
      lines.push(`# HELP ${spec.name} ${escapeHelp(spec.help)}`, `# TYPE ${spec.name} ${type}`, ...samples());
    }
    return `${lines.join('\n')}\n`;
  }

  #sum(spec: MetricSpec, type: 'counter' | 'gauge'): Sum {
    const series = new Series(spec, () => ({ value: 0 }));
    this.#declare({
      spec,
      type,
      lines: () =>
        series.entries().map(([values, { value }]) => sample(spec.name, pairsOf(spec, values), value)),
    });
    return {
      add(amount, values = []) {
        series.of(values).value += amount;
      },
    };
  }

  #declare(metric: Metric): void {
    if (this.#metrics.has(metric.spec.name)) throw new Error(`metric ${metric.spec.name} is declared twice`);
    this.#metrics.set(metric.spec.name, metric);
  }
}

/** Passes on the value, or undefined if the read fails or takes too long; a late value is dropped. */
async function readWithin<T>(
  ms: number,
  read: () => Promise<T>,
  pass: (value: T | undefined) => void,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  pass(await Promise.race([read().catch(() => undefined), late]));
  clearTimeout(timer);
}

/** The states of one metric by label values, bounded in number. */
class Series<State> {
  readonly #spec: MetricSpec;
  readonly #make: () => State;
  readonly #states = new Map<string, [LabelValues, State]>();

  constructor(spec: MetricSpec, make: () => State) {
    this.#spec = spec;
    this.#make = make;
    if ((spec.labels ?? []).length === 0) this.of([]);
  }

  of(values: LabelValues): State {
    const known = this.#states.get(keyOf(values));
    if (known !== undefined) return known[1];
    const full = this.#states.size >= (this.#spec.seriesMax ?? SERIES_MAX);
    const kept = full ? values.map(() => OVERFLOW) : values;
    const key = keyOf(kept);
    const entry = this.#states.get(key) ?? [kept, this.#make()];
    this.#states.set(key, entry);
    return entry[1];
  }

  entries(): [LabelValues, State][] {
    return [...this.#states.values()];
  }
}

function pairsOf({ labels = [] }: MetricSpec, values: LabelValues): [string, string][] {
  return labels.map((label, index) => [label, values[index] ?? '']);
}

/** Each value is prefixed with its length, so different lists never share a key. */
function keyOf(values: LabelValues): string {
  let key = '';
  for (const value of values) key += `${value.length}:${value}`;
  return key;
}

interface HistogramState {
  readonly counts: number[];
  count: number;
  sum: number;
}

function* histogramLines(
  spec: MetricSpec,
  buckets: readonly number[],
  series: Series<HistogramState>,
): Iterable<string> {
  const { name } = spec;
  for (const [values, state] of series.entries()) {
    const pairs = pairsOf(spec, values);
    let below = 0;
    for (const [index, bound] of buckets.entries()) {
      below += state.counts[index] ?? 0;
      yield sample(`${name}_bucket`, [...pairs, ['le', String(bound)]], below);
    }
    yield sample(`${name}_bucket`, [...pairs, ['le', '+Inf']], state.count);
    yield sample(`${name}_sum`, pairs, state.sum);
    yield sample(`${name}_count`, pairs, state.count);
  }
}

function sample(name: string, pairs: readonly (readonly [string, string])[], value: number): string {
  const labels = pairs.map(([label, text]) => `${label}="${escapeLabel(text)}"`).join(',');
  return `${name}${labels === '' ? '' : `{${labels}}`} ${formatValue(value)}`;
}

function formatValue(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
