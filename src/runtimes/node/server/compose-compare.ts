/** Composes comparisons: the probe client, the sealing of the sides' requests, and the model if there is one. */
import type { Settings } from '../../../config/settings.js';
import { configuredModel, createModelExplainer } from '../../../explain/index.js';
import type { Job } from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { PacedSweep } from '../../../paced-sweep.js';
import type { StrayQuery, StrayRows } from '../../../stores/portable/stray-rows.js';
import { createSecretBox } from '../../../streams/index.js';
import { TenantTurns } from '../../../tenant-turns.js';
import {
  CANCELED,
  createCompareDeps,
  createCompareHandler,
  createSuiteDeps,
  createSuiteHandler,
  endRow,
  INTERRUPTED,
  SIDE_PURPOSE,
} from '../../../workflows/index.js';
import type { OutboundOptions } from '../net.js';
import { nextTurn } from '../next-turn.js';
import { openProbeClient } from '../probe.js';
import { probeOptions } from '../probe-options.js';
import { sha256 } from '../sha256.js';
import type { RecordStoreSet } from './compose-records.js';
import { nativeCipher } from './native-cipher.js';

export interface StraySource {
  find(query: StrayQuery): Promise<StrayRows>;
}

interface CompareOptions {
  readonly settings: Pick<Settings, 'jobs' | 'compare' | 'explain'>;
  readonly net: OutboundOptions;
  readonly sealingKeys: readonly string[];
  readonly log: Log;
}

/** Probes of comparisons and suites. One default suite uses a tenant's share; with more, its work delays others'. */
const PROBES_AT_ONCE = { max: 64, perTenant: 8 } as const;
const SWEEP = { everyMs: 60_000, max: 50 } as const;
const STRAY_MAX = 1_000;
/** In a cluster, another server may be about to create the job of a row, so recent rows are left to a second check. */
const STRAY = { settledMs: 60_000, secondCheckMs: 120_000 } as const;

export async function composeCompare(
  { settings: { jobs, compare, explain }, net, log, sealingKeys }: CompareOptions,
  { comparisons: store, suites, strayRows }: Pick<RecordStoreSet, 'comparisons' | 'suites' | 'strayRows'>,
  clock: () => number,
) {
  const box = createSecretBox(sealingKeys, SIDE_PURPOSE, nativeCipher);
  const { provider, outbound, close } = openProbeClient(probeOptions(net, compare));
  const model = configuredModel(explain);
  const parts = createCompareDeps({
    store,
    box,
    provider,
    sha256,
    turn: nextTurn,
    confirmSamples: compare.confirmSamples,
    ...(model && { explainer: createModelExplainer(outbound.egress, model) }),
    clock,
    turns: new TenantTurns(PROBES_AT_ONCE.max, PROBES_AT_ONCE.perTenant),
  });
  const suiteDeps = createSuiteDeps({ suites, compare: parts, box, egress: outbound.egress });
  const { seal, redactUrl } = suiteDeps;
  const rows = { comparisons: store, suites };
  const isAlone = jobs.databaseUrl === undefined;
  const sweep = new PacedSweep({
    name: 'stale_comparisons',
    async step() {
      const ended = await Promise.all([store.endExpired(SWEEP.max), suites.endExpiredSuites(SWEEP.max)]);
      return ended.flat().length;
    },
    everyMs: SWEEP.everyMs,
    log,
  });
  sweep.start();
  const endStray = async () => {
    const stray = await strayRows.find({ olderThanMs: isAlone ? 0 : STRAY.settledMs, limit: STRAY_MAX });
    const error = JSON.stringify(INTERRUPTED);
    for (const key of stray.comparisons) await store.failComparison({ ...key, error });
    for (const key of stray.suites) await suites.endSuite({ ...key, error });
  };
  const tryEndStray = () =>
    endStray().catch((error: unknown) =>
      log.warn('comparisons without a job were not ended', { err: error }),
    );
  await tryEndStray();
  const secondCheck = setTimeout(() => void (isAlone || tryEndStray()), STRAY.secondCheckMs);
  secondCheck.unref();
  return {
    comparisons: { store, suites, seal, redactUrl },
    openSide: parts.openSide,
    handlers: { compare: createCompareHandler(parts), suite: createSuiteHandler(suiteDeps) },
    /** Ends the row of a canceled job at once, because its run may have ended already or never started. */
    endCanceled: (job: Job) => endRow(job, rows, CANCELED),
    /** Ends the row of a job whose workers died until no attempts were left, or that was canceled in the meantime. */
    endReaped: (job: Job) => endRow(job, rows, job.status === 'canceled' ? CANCELED : INTERRUPTED),
    sweeps: [sweep],
    async close() {
      await sweep.stop();
      clearTimeout(secondCheck);
      await close();
    },
  };
}
