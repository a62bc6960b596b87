/** Puts comparisons together: the probe's door, the seal of what sides are asked with, the model if there is one. */
import type { AppComparisons } from '../../../api/comparisons.js';
import type { ComparisonStore } from '../../../compare/index.js';
import { createModelExplainer, type ModelSettings } from '../../../explain/index.js';
import type { JobHandler } from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { createRedactor } from '../../../net/index.js';
import {
  createCompareHandler,
  createCompareParts,
  SIDE_PURPOSE,
  sealSide,
} from '../../../workflows/index.js';
import type { DoorOptions } from '../net.js';
import { openProbeDoor } from '../probe.js';
import { createSecretBox } from './secret-box.js';
import { readOrCreateWebhookKeys } from './secrets.js';

export type ExplainOptions = ModelSettings;

export interface ServerCompare {
  readonly comparisons: AppComparisons;
  readonly handler: JobHandler;
  close(): Promise<void>;
}

interface CompareOptions {
  readonly dataDir: string;
  readonly net?: DoorOptions;
  readonly explain?: ExplainOptions;
  readonly log: Log;
}

const SWEEP = { everyMs: 60_000, max: 1_000 } as const;

export async function composeCompare(
  { dataDir, net = {}, explain, log }: CompareOptions,
  store: ComparisonStore,
  clock: () => number,
): Promise<ServerCompare> {
  const { callbackKey } = await readOrCreateWebhookKeys(dataDir);
  const box = createSecretBox(callbackKey, SIDE_PURPOSE);
  const { provider, door, close } = openProbeDoor(net);
  const redactor = createRedactor();
  const parts = createCompareParts({
    store,
    box,
    provider,
    ...(explain && { explainer: createModelExplainer(door.egress, explain) }),
    clock,
  });
  const sweep = setInterval(() => {
    store.endExpired(SWEEP.max).catch((error: unknown) => {
      log.warn('stale comparisons were not ended', { err: error });
    });
  }, SWEEP.everyMs);
  sweep.unref();
  return {
    comparisons: {
      store,
      seal: (request) => sealSide(box, request),
      redactUrl: (url) => redactor.text(url),
    },
    handler: createCompareHandler(parts),
    async close() {
      clearInterval(sweep);
      await close();
    },
  };
}
