import { expect, test } from 'vitest';
import { ENDED_STATUSES, EVENT_TYPES, isEnded, JOB_STATUSES } from './job.js';

test('a job has ended once it is done, failed or canceled', () => {
  expect(JOB_STATUSES.map((status) => [status, isEnded(status)])).toEqual([
    ['queued', false],
    ['running', false],
    ['done', true],
    ['failed', true],
    ['canceled', true],
  ]);
  expect(ENDED_STATUSES).toEqual(['done', 'failed', 'canceled']);
});

test('types of events', () => {
  expect(EVENT_TYPES).toEqual(['status_changed', 'step_started', 'step_done', 'warning', 'error', 'metric']);
});
