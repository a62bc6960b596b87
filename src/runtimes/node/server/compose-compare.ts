/** Puts comparisons together: the probe's door, the seal of what sides are asked with, the model if there is one. */
import { randomUUID } from 'node:crypto';
import type { AppComparisons } from '../../../api/comparisons.js';
import type { ComparisonStore, SuiteStore } from '../../../compare/index.js';
import { SondeError } from '../../../errors.js';
import { createModelExplainer, type ModelSettings } from '../../../explain/index.js';
import type { Job, JobHandlers } from '../../../jobs/index.js';
import type { Log } from '../../../log.js';
import { createRedactor, readBody } from '../../../net/index.js';
import {
  cancelComparison,
  cancelSuite,
  createCompareHandler,
  createCompareParts,
  createSuiteHandler,
  SIDE_PURPOSE,
  type SideRequest,
  type SuiteParts,
  sealSide,
} from '../../../workflows/index.js';
import type { Door, DoorOptions } from '../net.js';
import { openProbeDoor } from '../probe.js';
import { type CompareBounds, probeOptions } from '../probe-options.js';
import { createSecretBox } from './secret-box.js';
import { readOrCreateWebhookKeys } from './secrets.js';

export type ExplainOptions = ModelSettings;

export interface ServerCompare {
  readonly comparisons: AppComparisons;
  readonly handlers: Pick<JobHandlers, 'compare' | 'suite'>;
  /** Ends the row of a canceled job at once: its run may be over already, or never have begun. */
  endCanceled(job: Job): Promise<void>;
  close(): Promise<void>;
}

export interface CompareStores {
  readonly comparisons: ComparisonStore;
  readonly suites: SuiteStore;
}

interface CompareOptions {
  readonly dataDir: string;
  readonly net?: DoorOptions;
  readonly compare?: CompareBounds;
  readonly explain?: ExplainOptions;
  readonly webhookSecret?: string;
  readonly log: Log;
}

const SWEEP = { everyMs: 60_000, max: 1_000 } as const;
const DOCUMENT_BYTES_MAX = 50_000_000;

export async function composeCompare(
  { dataDir, net, compare, explain, log, webhookSecret }: CompareOptions,
  { comparisons: store, suites }: CompareStores,
  clock: () => number,
): Promise<ServerCompare> {
  const { callbackKey } = await readOrCreateWebhookKeys(dataDir);
  // What one machine of a cluster seals another opens, so a secret that they share comes first.
  const secret = webhookSecret === undefined ? callbackKey : Buffer.from(webhookSecret).toString('base64url');
  const box = createSecretBox(secret, SIDE_PURPOSE);
  const { provider, door, close } = openProbeDoor(probeOptions(net, compare));
  const redactor = createRedactor();
  const parts = createCompareParts({
    store,
    box,
    provider,
    ...(explain && { explainer: createModelExplainer(door.egress, explain) }),
    clock,
  });
  const seal = (request: SideRequest) => sealSide(box, request);
  const redactUrl = (url: string) => redactor.text(url);
  const suiteParts: SuiteParts = {
    suites,
    compare: parts,
    seal,
    redactUrl,
    fetchBytes: (request, signal) => fetchDocument(door, request, signal),
    newUuid: randomUUID,
  };
  const sweep = setInterval(() => {
    Promise.all([store.endExpired(SWEEP.max), suites.endExpiredSuites(SWEEP.max)]).catch((error: unknown) => {
      log.warn('stale comparisons were not ended', { err: error });
    });
  }, SWEEP.everyMs);
  sweep.unref();
  return {
    comparisons: {
      store,
      suites,
      seal,
      redactUrl,
    },
    handlers: { compare: createCompareHandler(parts), suite: createSuiteHandler(suiteParts) },
    async endCanceled({ kind, tenantId, payload }) {
      if (kind === 'compare') {
        const { comparisonId } = payload as { readonly comparisonId: string };
        await cancelComparison({ tenantId, comparisonId }, store);
      } else if (kind === 'suite') {
        const { suiteId } = payload as { readonly suiteId: string };
        await cancelSuite({ tenantId, suiteId }, suites, store);
      }
    },
    async close() {
      clearInterval(sweep);
      await close();
    },
  };
}

async function fetchDocument(
  door: Door,
  { url, headers }: SideRequest,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const result = await door.fetch({ url, headers, signal });
  if (!result.ok) throw result.error;
  const { status } = result.response;
  const { bytes, truncated } = await readBody(result.response.body, DOCUMENT_BYTES_MAX);
  if (status !== 200) throw new SondeError('fetch_error', `${url} answered ${status}`);
  if (truncated)
    throw new SondeError('response_too_large', `${url} has more than ${DOCUMENT_BYTES_MAX} bytes`);
  return bytes;
}
