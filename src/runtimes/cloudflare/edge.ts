/**
 * `sonde/edge`, and the Worker that is deployed: its handler, its Durable Objects and its Workflows, to export from a
 * Worker of one's own. The types show what others may call; everything else is between these classes.
 */
import type { PairMethods } from './compare/pair-methods.js';
import worker, * as classes from './worker.js';

type Exported<Branded> = new (ctx: never, env: never) => Branded;

/** The object of a pair of environments. Its name is `pairKeyOf` (`sonde/compare`). */
export type EnvPairDO = PairMethods & Rpc.DurableObjectBranded;
export const EnvPairDO: Exported<EnvPairDO> = classes.EnvPairDO;

export const AuditLedger: Exported<Rpc.DurableObjectBranded> = classes.AuditLedger;
export const HotBuffer: Exported<Rpc.DurableObjectBranded> = classes.HotBuffer;
export const AuditSite: Exported<Rpc.WorkflowEntrypointBranded> = classes.AuditSite;
export const CompareEnvironments: Exported<Rpc.WorkflowEntrypointBranded> = classes.CompareEnvironments;

const handler: ExportedHandler = worker as ExportedHandler;
// biome-ignore lint/style/noDefaultExport: the platform looks for it
export default handler;
