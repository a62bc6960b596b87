/** Who explains comparisons at the edge: the endpoint that is configured, else Workers AI where it is bound. */
import { createModelExplainer, type Explainer } from '../../../explain/index.js';
import type { Egress } from '../../../net/index.js';
import type { EdgeEnv } from '../edge-env.js';
import type { EdgeSettings } from '../edge-settings.js';

export function createEdgeExplainer(
  _env: EdgeEnv,
  { explain }: EdgeSettings,
  egress: Egress,
): Explainer | undefined {
  const { baseUrl, model, key } = explain;
  if (baseUrl !== undefined && model !== undefined) {
    return createModelExplainer(egress, { baseUrl, model, ...(key !== undefined && { key }) });
  }
  return undefined;
}
