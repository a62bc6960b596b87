export type { Progress, RunContext, StepOptions, Steps } from './steps.js';
