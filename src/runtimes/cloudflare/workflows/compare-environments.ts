/** The Workflow of a comparison: the very steps of `workflows/compare-environments`, on the platform's own. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { createCompareHandler, createCompareParts, SIDE_PURPOSE } from '../../../workflows/index.js';
import { createEdgeExplainer } from '../compare/edge-explainer.js';
import { openEdgeProbe } from '../compare/edge-probe.js';
import { createRemoteComparisons } from '../compare/remote-comparisons.js';
import type { EdgeEnv } from '../edge-env.js';
import { createSecretBox } from '../ledger/secret-box.js';
import { runJob } from './run-job.js';
import type { RunParams } from './workflow-runs.js';

export class CompareEnvironments extends WorkflowEntrypoint<EdgeEnv, RunParams> {
  override async run(event: Readonly<WorkflowEvent<RunParams>>, step: WorkflowStep): Promise<void> {
    const { env } = this;
    await runJob({
      env,
      params: event.payload,
      step,
      instance: event.instanceId,
      async handlerOf(_job, settings) {
        const { provider, egress } = openEdgeProbe(settings);
        const explainer = createEdgeExplainer(env, settings, egress);
        return createCompareHandler(
          createCompareParts({
            store: createRemoteComparisons(env),
            box: await createSecretBox(settings.edge.keyFor(SIDE_PURPOSE), SIDE_PURPOSE),
            provider,
            ...(explainer && { explainer }),
            clock: Date.now,
          }),
        );
      },
    });
  }
}
