/** Short names for the schemas of the API. */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Session = Schemas['Caller'];
export type Scope = Session['scopes'][number];
export type JobEvent = Schemas['JobEvent'];
export type Pair = Schemas['Pair'];
export type Comparison = Schemas['Comparison'];
export type ComparisonSummary = Schemas['ComparisonSummary'];
export type ComparisonProbe = Schemas['ComparisonProbe'];
export type EnvDiff = Schemas['EnvDiff'];
export type Finding = Schemas['Finding'];
export type Explanation = Schemas['Explanation'];
export type Suite = Schemas['Suite'];
export type SuiteWithPaths = Schemas['SuiteWithPaths'];
export type CompareOptions = Schemas['CompareOptions'];
export type CompareRequest = Schemas['CompareRequest'];
export type Audit = Schemas['Audit'];
export type AuditReport = Schemas['AuditReport'];
export type AuditRuleResult = Schemas['AuditRuleResult'];
export type AuditIssue = Schemas['AuditIssue'];
export type AuditDiff = Schemas['AuditDiff'];
export type StreamEntry = Schemas['StreamListItem'];
export type ResponseEntry = Schemas['ListedResponse'];
export type StreamTiming = Schemas['StreamTiming'];
export type System = Schemas['System'];
export type Demo = Schemas['Demo'];
export type Change = Schemas['Change'];
