/** POST: appends to a stream, closes it, or both. The store commits before a writer or a reader sees anything. */

import { SondeError } from '../errors.js';
import { joinHeaders } from '../join-headers.js';
import { storeJson } from './json-messages.js';
import { essenceOf, isJson } from './media-type.js';
import { formatOffset } from './offset.js';
import { findStream, openStream, touch } from './open-stream.js';
import { readProducer } from './producer-headers.js';
import type { StreamDeps } from './stream-deps.js';
import { asksToClose, closedHeader, nextOffset } from './stream-headers.js';
import { notFound } from './stream-life.js';
import type { StreamCall, StreamResponse } from './stream-response.js';
import type { AppendInput, AppendOutcome, AppendRefusal, StreamKey, StreamState } from './stream-store.js';
import { splitStreamId } from './subscriptions/stream-path.js';

export async function appendStream(deps: StreamDeps, call: StreamCall): Promise<StreamResponse> {
  const producer = readProducer(call);
  const close = asksToClose(call.header('stream-closed'));
  const body = await call.body();
  const contentType = call.header('content-type');
  if (body.length === 0 && !close) throw new SondeError('INVALID_REQUEST', 'an append needs a body');
  if (body.length > 0 && contentType === null) {
    throw new SondeError('INVALID_REQUEST', 'an append needs the Content-Type of the stream');
  }
  const input: AppendInput = {
    data: body.length === 0 ? null : await encodeBody(body, contentType ?? ''),
    contentType: body.length === 0 ? null : essenceOf(contentType ?? ''),
    seq: call.header('stream-seq'),
    producer,
    close,
    now: deps.clock(),
    usedAt: deps.lifetime.now(),
    bytesMax: deps.limits.streamBytesMax,
  };
  const outcome = await store(deps, call.id, { input, tenant: splitStreamId(call.id)?.tenant });
  return respondWithOutcome(deps, call, { input, outcome });
}

export interface OwnAppend {
  readonly data: Uint8Array | null;
  readonly close?: boolean;
  readonly metadata?: string;
  readonly after?: number;
  /** Set if the stream's id does not contain the tenant that the bytes count against. */
  readonly tenant?: string;
}

/** Appends one message on behalf of the server. A rejection is a result, not an error. */
export async function appendMessage(
  deps: StreamDeps,
  id: string,
  message: string,
): Promise<AppendOutcome['kind']> {
  const state = await findStream(deps, id);
  if (!state) return 'missing';
  const bytes = new TextEncoder().encode(message);
  const data = isJson(state.contentType) ? await storeJson(bytes) : bytes;
  return (await appendOwn(deps, state, { data })).kind;
}

export async function appendOwn(
  deps: StreamDeps,
  { id, life }: StreamKey,
  { data, close = false, metadata, after, tenant = splitStreamId(id)?.tenant }: OwnAppend,
): Promise<AppendOutcome> {
  const input: AppendInput = {
    data,
    contentType: null,
    seq: null,
    producer: null,
    close,
    now: deps.clock(),
    usedAt: deps.lifetime.now(),
    bytesMax: deps.limits.streamBytesMax,
    life,
    ...(metadata !== undefined && { metadata }),
    ...(after !== undefined && { after }),
  };
  const outcome = await store(deps, id, { input, tenant });
  if (outcome.kind === 'appended') publish(deps, input, outcome);
  return outcome;
}

function store(
  deps: StreamDeps,
  id: string,
  { input, tenant }: { readonly input: AppendInput; readonly tenant: string | undefined },
): Promise<AppendOutcome> {
  return deps.storedBytes.during(
    { tenant, bytes: input.data?.length ?? 0 },
    () => deps.store.append(id, input),
    ({ kind }) => kind === 'appended',
  );
}

function publish(
  deps: StreamDeps,
  input: AppendInput,
  { from, state, sealed }: Extract<AppendOutcome, { kind: 'appended' }>,
): void {
  deps.tails.publish(from, input.data, state);
  if (sealed) deps.sealer.filled();
  deps.onChanged(state);
}

/** Encodes the body by its own content type. The store refuses it if that is not the stream's type. */
async function encodeBody(body: Uint8Array, contentType: string): Promise<Uint8Array> {
  if (!isJson(contentType)) return body;
  const data = await storeJson(body);
  if (data.length === 0) throw new SondeError('INVALID_REQUEST', 'an empty JSON array contains no messages');
  return data;
}

async function respondWithOutcome(
  deps: StreamDeps,
  call: StreamCall,
  { input, outcome }: { readonly input: AppendInput; readonly outcome: AppendOutcome },
): Promise<StreamResponse> {
  switch (outcome.kind) {
    case 'appended':
      publish(deps, input, outcome);
      return acknowledge(outcome.state, input, { status: input.producer && input.data ? 200 : 204 });
    case 'duplicate':
      touch(deps, outcome.state);
      return acknowledge(outcome.state, input, { status: 204, seq: outcome.highestSeq });
    case 'missing':
      throw notFound();
    case 'refused':
      // Opening an expired stream removes it.
      if (outcome.why.rule === 'expired') await openStream(deps, call.id);
      return respondWithRefusal(outcome.state, outcome.why, input);
  }
}

function acknowledge(
  state: StreamState,
  input: AppendInput,
  { status, seq }: { status: number; seq?: number },
): StreamResponse {
  const { producer } = input;
  return {
    status,
    headers: joinHeaders(
      nextOffset(state),
      closedHeader(state.closed),
      producer && {
        'Producer-Epoch': String(producer.epoch),
        'Producer-Seq': String(seq ?? producer.seq),
      },
    ),
  };
}

function respondWithRefusal(state: StreamState, why: AppendRefusal, input: AppendInput): StreamResponse {
  const { error, headers = {} } = REFUSALS[why.rule](why as never, state, input);
  return { status: error.facts.status, headers: { ...headers }, error };
}

interface RefusalResponse {
  readonly error: SondeError;
  readonly headers?: Record<string, string>;
}

type RefusalOf<R extends AppendRefusal['rule']> = Extract<AppendRefusal, { rule: R }>;

/** One row per rule; the table does not compile if one is missing. */
const REFUSALS: {
  readonly [R in AppendRefusal['rule']]: (
    why: RefusalOf<R> extends never ? AppendRefusal : RefusalOf<R>,
    state: StreamState,
    input: AppendInput,
  ) => RefusalResponse;
} = {
  expired: () => ({ error: notFound() }),
  deleted: () => ({ error: new SondeError('STREAM_GONE', 'the stream was deleted') }),
  corrupt: () => ({
    error: new SondeError('STREAM_CORRUPT', 'the stream is damaged and accepts no more appends'),
  }),
  closed: (_why, state) => ({
    error: new SondeError('STREAM_CLOSED', 'the stream is closed'),
    headers: { ...nextOffset(state), ...closedHeader(true) },
  }),
  content_type: (_why, state) => ({
    error: new SondeError(
      'CONTENT_TYPE_MISMATCH',
      `the content type of the stream is ${essenceOf(state.contentType)}`,
    ),
  }),
  stream_size: (_why, state, input) => ({
    error: new SondeError('STREAM_TOO_LARGE', `a stream can have at most ${input.bytesMax} bytes`, {
      details: { max: input.bytesMax, offset: formatOffset(state.hash, state.tail) },
    }),
  }),
  gap: () => ({
    error: new SondeError('SEQUENCE_CONFLICT', 'an append that must precede this one is missing'),
  }),
  seq: (why) => ({
    error: new SondeError('SEQUENCE_CONFLICT', 'Stream-Seq must sort after the last one', {
      details: { last: why.last },
    }),
  }),
  stale_epoch: (why) => ({
    error: new SondeError('PRODUCER_FENCED', 'a newer epoch of this producer has already written'),
    headers: { 'Producer-Epoch': String(why.epoch) },
  }),
  epoch_start: () => ({
    error: new SondeError('INVALID_REQUEST', 'a new producer epoch starts at sequence 0'),
  }),
  producer_gap: (why, _state, input) => ({
    error: new SondeError('PRODUCER_GAP', `the next sequence number of this producer is ${why.expected}`),
    headers: {
      'Producer-Expected-Seq': String(why.expected),
      'Producer-Received-Seq': String(input.producer?.seq ?? 0),
    },
  }),
};
