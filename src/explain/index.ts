/** The public door of `explain/`. */
export { explainDiff } from './explain-diff.js';
export {
  type Action,
  type Cause,
  checkExplanation,
  EXPLANATION_LIMITS,
  type Explanation,
  explanationSchema,
} from './explanation.js';
export {
  createModelExplainer,
  type Explainer,
  type ExplanationOutcome,
  type ModelSettings,
} from './model-explainer.js';
export { type PastRun, PROMPT_VERSION } from './model-prompt.js';
