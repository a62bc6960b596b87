import { expect, test } from 'vitest';
import { openInlineRecords } from '../../test/support/inline-records.js';
import type { JobStore } from './job-store.js';
import { RecordedSteps } from './recorded-steps.js';

type StepStore = Pick<JobStore, 'steps' | 'recordStep'>;

/** Steps over a real store, of which one call is lost on its way there or back. */
async function stepsLosing(lost: keyof StepStore, onWay: 'there' | 'back') {
  const { jobs, enqueue } = await openInlineRecords();
  await enqueue(1);
  const claim = { workerId: 'w', kinds: ['hello'], limit: 1, leaseMs: 60_000, runningMax: 1 } as const;
  const [job] = (await jobs.claim({ ...claim, after: null })).jobs;
  if (!job) throw new Error('nothing was claimed');
  let calls = 0;
  const losing = async <T>(name: keyof StepStore, call: () => Promise<T>): Promise<T> => {
    const isLost = name === lost && calls++ === 0;
    if (isLost && onWay === 'there') throw new Error('no answer');
    const response = await call();
    if (isLost) throw new Error('no answer');
    return response;
  };
  return new RecordedSteps({
    store: {
      steps: (jobId) => losing('steps', () => jobs.steps(jobId)),
      recordStep: (step) => losing('recordStep', () => jobs.recordStep(step)),
    },
    lease: job,
    leaseMs: 60_000,
    signal: new AbortController().signal,
    emit: () => {},
    onLost: () => {},
  });
}

test.each([
  ['steps', 'there'],
  ['steps', 'back'],
  ['recordStep', 'there'],
  ['recordStep', 'back'],
] as const)(
  'a step can be begun again after a call of %s that was lost on its way %s',
  async (lost, onWay) => {
    const steps = await stepsLosing(lost, onWay);
    await expect(steps.do('one', {}, async () => 1)).rejects.toThrow('no answer');
    expect(await steps.do('one', {}, async () => 1)).toBe(1);
    await expect(steps.do('one', {}, async () => 1)).rejects.toThrow('started twice');
  },
);
