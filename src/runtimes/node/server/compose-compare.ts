/** Composes comparisons: the probe client, the sealing of the sides' requests, and the model if there is one. */
import type { Settings } from '../../../config/settings.js';
import { configuredModel, createModelExplainer } from '../../../explain/index.js';
import { createSecretBox } from '../../../streams/index.js';
import { TenantTurns } from '../../../tenant-turns.js';
import {
  createCompareDeps,
  createCompareHandler,
  createSuiteDeps,
  createSuiteHandler,
  SIDE_PURPOSE,
} from '../../../workflows/index.js';
import type { OutboundOptions } from '../net.js';
import { nextTurn } from '../next-turn.js';
import { openProbeClient } from '../probe.js';
import { probeOptions } from '../probe-options.js';
import { sha256 } from '../sha256.js';
import type { RecordStoreSet } from './compose-records.js';
import { nativeCipher } from './native-cipher.js';

interface CompareOptions {
  readonly settings: Pick<Settings, 'compare' | 'explain'>;
  readonly net: OutboundOptions;
  readonly sealingKeys: readonly string[];
}

/** Probes of comparisons and suites. One default suite uses a tenant's share; with more, its work delays others'. */
const PROBES_AT_ONCE = { max: 64, perTenant: 8 } as const;

export function composeCompare(
  { settings: { compare, explain }, net, sealingKeys }: CompareOptions,
  { comparisons: store, suites }: Pick<RecordStoreSet, 'comparisons' | 'suites'>,
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
  return {
    comparisons: { store, suites, seal, redactUrl },
    openSide: parts.openSide,
    handlers: { compare: createCompareHandler(parts), suite: createSuiteHandler(suiteDeps) },
    close,
  };
}
