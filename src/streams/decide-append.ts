/**
 * Decides whether an append is written, is a duplicate or is refused, by the protocol's rules and in their order:
 * existence, closure (where the closing producer's retry still succeeds), content type, producer order, `Stream-Seq`,
 * the expected length, and size. Pure: a store calls it inside the transaction that writes.
 */

import { isExpired } from './expiry.js';
import { essenceOf } from './media-type.js';
import type { AppendInput, AppendRefusal, ProducerTuple, StreamState } from './stream-store.js';

export type AppendDecision =
  | { readonly kind: 'write' }
  | { readonly kind: 'duplicate'; readonly highestSeq: number }
  | { readonly kind: 'refuse'; readonly why: AppendRefusal };

/** `known` is the last epoch and sequence number that the store has for this producer on this stream. */
export function decideAppend(
  state: StreamState,
  input: AppendInput,
  known: ProducerTuple | undefined,
): AppendDecision {
  const gone = judgeStream(state, input);
  if (gone) return gone;
  const { producer } = input;
  if (state.closed) return judgeClosed(state, input);
  if (input.data && input.contentType !== null && input.contentType !== essenceOf(state.contentType)) {
    return refuse({ rule: 'content_type' });
  }
  const ordered = producer && judgeProducer(producer, known);
  if (ordered) return ordered;
  if (input.seq !== null && state.lastSeq !== null && input.seq <= state.lastSeq) {
    return refuse({ rule: 'seq', last: state.lastSeq });
  }
  if (input.after !== undefined && input.after !== state.totalBytes) return refuse({ rule: 'gap' });
  if (state.totalBytes + (input.data?.length ?? 0) > input.bytesMax) return refuse({ rule: 'stream_size' });
  return { kind: 'write' };
}

function judgeStream(state: StreamState, input: AppendInput): AppendDecision | undefined {
  if (isExpired(state, input.usedAt ?? input.now)) return refuse({ rule: 'expired' });
  if (state.deleted) return refuse({ rule: 'deleted' });
  if (state.corruptFrom) return refuse({ rule: 'corrupt' });
  return undefined;
}

/** A closed stream acknowledges a retry of the append that closed it, and any close without data. */
function judgeClosed(state: StreamState, { producer, data, close }: AppendInput): AppendDecision {
  const by = state.closedBy;
  if (producer && by && producer.id === by.id && producer.epoch === by.epoch && producer.seq === by.seq) {
    return { kind: 'duplicate', highestSeq: by.seq };
  }
  if (close && !data && !producer) return { kind: 'duplicate', highestSeq: 0 };
  return refuse({ rule: 'closed' });
}

function judgeProducer(
  producer: ProducerTuple,
  known: ProducerTuple | undefined,
): AppendDecision | undefined {
  if (!known || producer.epoch > known.epoch) {
    if (producer.seq === 0) return undefined;
    return refuse(known ? { rule: 'epoch_start' } : { rule: 'producer_gap', expected: 0 });
  }
  if (producer.epoch < known.epoch) return refuse({ rule: 'stale_epoch', epoch: known.epoch });
  if (producer.seq <= known.seq) return { kind: 'duplicate', highestSeq: known.seq };
  if (producer.seq > known.seq + 1) return refuse({ rule: 'producer_gap', expected: known.seq + 1 });
  return undefined;
}

function refuse(why: AppendRefusal): AppendDecision {
  return { kind: 'refuse', why };
}
