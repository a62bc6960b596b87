import { expect, test } from 'vitest';
import { JobPace } from './job-pace.js';

const ahead = (pace: JobPace) => pace.ahead(10, 100, 490);

test('takes nothing ahead until it knows, much of short jobs, nothing of long ones', () => {
  const pace = new JobPace();
  expect(ahead(pace)).toBe(0);
  for (let n = 0; n < 8; n++) pace.add('hello', 0);
  expect(ahead(pace)).toBe(490);
  for (let n = 0; n < 40; n++) pace.add('hello', 10);
  expect(ahead(pace)).toBe(100);
  for (let n = 0; n < 8; n++) pace.add('audit', 60_000);
  expect(ahead(pace)).toBe(0);
});
