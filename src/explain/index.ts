/** The public exports of `explain/`. */
export { createBoundExplainer } from './bound-explainer.js';
export { explainDiff } from './explain-diff.js';
export type { Explanation } from './explanation.js';
export {
  configuredModel,
  createModelExplainer,
  type Explainer,
  type ExplanationOutcome,
} from './model-explainer.js';
export type { PastRun } from './model-prompt.js';
