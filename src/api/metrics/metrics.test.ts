import { expect, test } from 'vitest';
import { Metrics } from './metrics.js';

test('renders the text format with escaping', () => {
  const metrics = new Metrics();
  const counter = metrics.counter({ name: 'a_total', help: 'First\nline \\ here.', labels: ['path'] });
  counter.add(1, ['a"b\\c\nd']);
  counter.add(2, ['a"b\\c\nd']);
  metrics.gauge({ name: 'b', help: 'B.' }).add(-1.5);
  metrics.observed({ name: 'c', help: 'C.' }, 'gauge', () => Number.POSITIVE_INFINITY);
  expect(metrics.render()).toBe(
    [
      '# HELP a_total First\\nline \\\\ here.',
      '# TYPE a_total counter',
      'a_total{path="a\\"b\\\\c\\nd"} 3',
      '# HELP b B.',
      '# TYPE b gauge',
      'b -1.5',
      '# HELP c C.',
      '# TYPE c gauge',
      'c +Inf',
      '',
    ].join('\n'),
  );
});

test('histogram buckets are cumulative and end with +Inf', () => {
  const metrics = new Metrics();
  const histogram = metrics.histogram({ name: 'h', help: 'H.', labels: ['x'] }, [1, 5]);
  for (const value of [0.5, 1, 3, 100]) histogram.observe(value, ['y']);
  expect(metrics.render().split('\n').slice(2, -1)).toEqual([
    'h_bucket{x="y",le="1"} 2',
    'h_bucket{x="y",le="5"} 3',
    'h_bucket{x="y",le="+Inf"} 4',
    'h_sum{x="y"} 104.5',
    'h_count{x="y"} 4',
  ]);
});

test('series are bounded, and further label values are counted as other', () => {
  const metrics = new Metrics();
  const counter = metrics.counter({ name: 'n', help: 'N.', labels: ['x'], seriesMax: 3 });
  for (let i = 0; i < 1000; i += 1) counter.add(1, [`v${i}`]);
  expect(metrics.render().split('\n').slice(2, -1)).toEqual([
    'n{x="v0"} 1',
    'n{x="v1"} 1',
    'n{x="v2"} 1',
    'n{x="other"} 997',
  ]);
});

test('rejects a second declaration of a name', () => {
  const metrics = new Metrics();
  metrics.counter({ name: 'n', help: 'N.' });
  expect(() => metrics.gauge({ name: 'n', help: 'N.' })).toThrow('twice');
});
