/** The public door of `workflows/`. */
export {
  type CompareContext,
  type CompareInput,
  type CompareParts,
  type CompareRunOptions,
  compareEnvironments,
  type SideRequest,
} from './compare-environments.js';
