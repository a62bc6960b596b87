/**
 * The `Steps` port, implemented with the steps of a Workflow. The result of a step is recorded with the job in the
 * tenant's object; the platform's step returns only its name. So the platform's size limit does not apply to results,
 * and an attempt in a new instance continues after the last step of the previous one.
 */
import type { WorkflowStep, WorkflowStepConfig } from 'cloudflare:workers';
import { NonRetryableError } from 'cloudflare:workflows';
import { isPermanent, type StepOptions, type Steps } from '../../../jobs/index.js';

export function createWorkflowSteps(step: WorkflowStep, recorded: Steps, signal: AbortSignal): Steps {
  return {
    async do<T>(name: string, options: StepOptions, run: () => Promise<T>): Promise<T> {
      let ended: { readonly value: T } | undefined;
      let failure: { readonly thrown: unknown } | undefined;
      const once = async () => {
        try {
          ended = { value: await recorded.do(name, {}, run) };
          return { recorded: name };
        } catch (thrown) {
          failure = { thrown };
          if (isPermanent(thrown) || signal.aborted) throw new NonRetryableError(String(thrown));
          throw thrown;
        }
      };
      try {
        await step.do(name, configOf(options), once);
      } catch (lost) {
        // The platform drops the code of an error, so the original one is thrown.
        throw failure ? failure.thrown : lost;
      }
      return ended ? ended.value : recorded.do(name, {}, () => Promise.reject(unrecorded(name)));
    },
  };
}

function configOf({ retries, timeoutMs }: StepOptions): WorkflowStepConfig {
  return {
    retries: {
      limit: retries?.limit ?? 0,
      delay: retries?.delayMs ?? 0,
      backoff: retries?.backoff ?? 'constant',
    },
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  };
}

function unrecorded(name: string): Error {
  return new Error(`the step "${name}" has ended, but its result is not recorded`);
}
