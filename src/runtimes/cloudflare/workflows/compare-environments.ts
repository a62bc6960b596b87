/** The Workflow of comparisons and suites. It runs the steps of `workflows/` as steps of the platform. */
import { WorkflowEntrypoint, type WorkflowEvent, type WorkflowStep } from 'cloudflare:workers';
import { timerTurn } from '../../../loop-turns.js';
import { createSecretBox } from '../../../streams/index.js';
import {
  createCompareDeps,
  createCompareHandler,
  createSuiteDeps,
  createSuiteHandler,
  SIDE_PURPOSE,
} from '../../../workflows/index.js';
import { createEdgeExplainer } from '../compare/edge-explainer.js';
import { openEdgeProbe } from '../compare/edge-probe.js';
import { createRemoteComparisons } from '../compare/remote-comparisons.js';
import type { EdgeEnv } from '../edge-env.js';
import { recordPortsOf } from '../records/records-rpc.js';
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
      async handlerOf({ kind }, settings) {
        const { provider, egress } = openEdgeProbe(settings);
        const explainer = createEdgeExplainer(env, settings, egress);
        const box = createSecretBox(settings.edge.keysFor(SIDE_PURPOSE), SIDE_PURPOSE);
        const compare = createCompareDeps({
          store: createRemoteComparisons(env),
          box,
          provider,
          confirmSamples: settings.compare.confirmSamples,
          ...(explainer && { explainer }),
          clock: Date.now,
          turn: timerTurn,
        });
        if (kind !== 'suite') return createCompareHandler(compare);
        return createSuiteHandler(
          createSuiteDeps({ suites: recordPortsOf(env).suites, compare, box, egress }),
        );
      },
    });
  }
}
