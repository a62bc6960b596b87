/**
 * One tenant's comparisons of one pair, with the six methods under the names and in the shape of the first
 * design. It adds ids, redaction's place and refusals to the store; it keeps nothing.
 */
import { SondeError } from '../errors.js';
import type { Side, SignalEnvelope } from '../probe/index.js';
import {
  COMPARISON_LIMITS,
  type ComparisonKey,
  type ComparisonRow,
  type ComparisonStatus,
  type ComparisonStore,
} from './comparison-store.js';
import { comparisonIdOf, pairKeyIn, pairKeyOf } from './pair-key.js';

export interface ComparisonState {
  readonly status: ComparisonStatus;
  readonly result?: unknown;
  readonly error?: string;
}

export interface PairScope {
  readonly tenantId: string;
  readonly leftUrl: string;
  readonly rightUrl: string;
}

export interface PairOptions {
  /** Makes the uuid of an id that the caller did not give. */
  readonly newUuid: () => string;
  /** What may rest in the store of a URL. */
  readonly redactUrl: (url: string) => string;
  readonly optionsJson?: string;
  readonly explain?: boolean;
  readonly sealed?: { readonly left: Uint8Array | null; readonly right: Uint8Array | null };
}

export class PairComparisons {
  readonly #store: ComparisonStore;
  readonly #scope: PairScope;
  readonly #options: PairOptions;
  readonly pairKey: string;

  constructor(store: ComparisonStore, scope: PairScope, options: PairOptions) {
    this.#store = store;
    this.#scope = scope;
    this.#options = options;
    this.pairKey = pairKeyOf(scope);
  }

  async createComparison(
    leftUrl = this.#scope.leftUrl,
    rightUrl = this.#scope.rightUrl,
    comparisonId = comparisonIdOf(this.pairKey, this.#options.newUuid()),
  ): Promise<{ comparisonId: string; status: ComparisonStatus }> {
    const { tenantId } = this.#scope;
    if (
      pairKeyOf({ tenantId, leftUrl, rightUrl }) !== this.pairKey ||
      pairKeyIn(comparisonId) !== this.pairKey
    ) {
      throw new SondeError('INVALID_REQUEST', 'the comparison belongs to a different pair', {
        details: { field: 'comparisonId' },
      });
    }
    const { redactUrl, optionsJson = '{}', explain = false, sealed } = this.#options;
    const outcome = await this.#store.createComparison({
      tenantId,
      comparisonId,
      pairKey: this.pairKey,
      leftUrl: redactUrl(leftUrl),
      rightUrl: redactUrl(rightUrl),
      optionsJson,
      explain,
      leftSealed: sealed?.left ?? null,
      rightSealed: sealed?.right ?? null,
    });
    if (outcome.kind === 'too_many_running') {
      throw new SondeError(
        'too_many_running',
        `${outcome.limit} comparisons of this pair are already running; wait for one to finish`,
        {
          details: { limit: outcome.limit },
        },
      );
    }
    return { comparisonId: outcome.comparisonId, status: outcome.status };
  }

  async saveProbe(comparisonId: string, side: Side, envelope: SignalEnvelope): Promise<void> {
    await this.#store.saveProbe(probeInput(this.#key(comparisonId), side, envelope));
  }

  async saveResult(comparisonId: string, result: unknown): Promise<void> {
    await this.#store.saveResult({ ...this.#key(comparisonId), resultJson: JSON.stringify(result) });
  }

  async failComparison(comparisonId: string, error: string): Promise<void> {
    await this.#store.failComparison({ ...this.#key(comparisonId), error });
  }

  async getComparison(comparisonId: string): Promise<ComparisonState> {
    const row = await this.#store.getComparison(this.#key(comparisonId));
    if (!row) throw new SondeError('NOT_FOUND', 'comparison not found');
    return stateOf(row);
  }

  async getComparisonsForHistory(
    limit: number = COMPARISON_LIMITS.historyDefault,
  ): Promise<ComparisonState[]> {
    const rows = await this.#store.getComparisonsForHistory({
      tenantId: this.#scope.tenantId,
      pairKey: this.pairKey,
      limit,
      completedOnly: true,
    });
    return rows.map(stateOf);
  }

  #key(comparisonId: string): ComparisonKey {
    return { tenantId: this.#scope.tenantId, comparisonId };
  }
}

/** The envelope as its row; one that is too large is refused rather than cut. */
export function probeInput(key: ComparisonKey, side: Side, envelope: SignalEnvelope) {
  const envelopeJson = JSON.stringify(envelope);
  if (envelopeJson.length > COMPARISON_LIMITS.envelopeChars) {
    throw new SondeError(
      'ENVELOPE_TOO_LARGE',
      `an envelope can have at most ${COMPARISON_LIMITS.envelopeChars} characters`,
      {
        details: { limit: COMPARISON_LIMITS.envelopeChars },
      },
    );
  }
  return { ...key, side, url: envelope.requestedUrl, envelopeJson, sample: envelope.sample ?? 1 };
}

export function stateOf({ status, resultJson, error }: ComparisonRow): ComparisonState {
  return {
    status,
    ...(resultJson !== null && { result: JSON.parse(resultJson) as unknown }),
    ...(error !== null && { error }),
  };
}
