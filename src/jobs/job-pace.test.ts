import { expect, test } from 'vitest';
import { JobPace } from './job-pace.js';

const ahead = (pace: JobPace) => pace.ahead(10, 100, 490);

test('claims nothing ahead without samples, many short jobs, and no long ones', () => {
  const pace = new JobPace();
  expect(ahead(pace)).toBe(0);
  for (let n = 0; n < 8; n++) pace.add('hello', 0);
  expect(ahead(pace)).toBe(490);
  for (let n = 0; n < 40; n++) pace.add('hello', 10);
  expect(ahead(pace)).toBe(100);
  for (let n = 0; n < 8; n++) pace.add('audit', 60_000);
  expect(ahead(pace)).toBe(0);
});

test('uses the mean of the last 32 jobs of the slowest kind', () => {
  const pace = new JobPace();
  for (let n = 0; n < 8; n++) pace.add('hello', 10);
  expect(pace.meanMs).toBe(10);
  for (let n = 0; n < 24; n++) pace.add('hello', 30);
  expect(pace.meanMs).toBe(25);
  for (let n = 0; n < 8; n++) pace.add('hello', 30);
  expect(pace.meanMs).toBe(30);
  for (let n = 0; n < 7; n++) pace.add('audit', 20);
  expect(pace.meanMs).toBe(Number.POSITIVE_INFINITY);
  pace.add('audit', 20);
  expect(pace.meanMs).toBe(30);
});

test('jobs too short to be measured count as a fifth of a millisecond', () => {
  const pace = new JobPace();
  for (let n = 0; n < 8; n++) pace.add('hello', 0);
  expect(pace.meanMs).toBe(0.2);
  expect(pace.ahead(1, 1, 490)).toBe(5);
});
