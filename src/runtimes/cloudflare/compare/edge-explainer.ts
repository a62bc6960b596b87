/** Selects the explainer of comparisons at the edge: the configured endpoint, or Workers AI if it is bound. */
import {
  configuredModel,
  createBoundExplainer,
  createModelExplainer,
  type Explainer,
} from '../../../explain/index.js';
import type { Egress } from '../../../net/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';

export function createEdgeExplainer(
  { AI }: Pick<EdgeEnv, 'AI'>,
  { explain, edge }: EdgeSettings,
  egress: Egress,
): Explainer | undefined {
  const model = configuredModel(explain);
  if (model) return createModelExplainer(egress, model);
  if (!AI) return undefined;
  const { timeoutMs } = explain;
  return createBoundExplainer({
    model: edge.aiModel,
    run: (input) => AI.run(edge.aiModel, input),
    timeoutMs,
  });
}
