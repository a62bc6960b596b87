/**
 * Writes a long record into the store before it is appended, in small commits that readers do not see. The append then
 * only refers to it. So appends to other streams wait for at most one piece, and a crash leaves only data that the next
 * start removes.
 */
import type { StagedPart, StagedRecord } from '../../../stores/sqlite/loose-data.js';
import { complementOf } from '../../../stores/sqlite/record-rows.js';
import type { AppendInput, AppendOutcome, Creation, NewStream, StreamState } from '../../../streams/index.js';
import type { CallQueue } from './call-queue.js';

/** A record up to this length is written in one commit. */
const STAGED_ABOVE_BYTES = 1024 * 1024;
const PIECE_BYTES = 512 * 1024;

type Saved = Pick<StagedPart, 'checksum' | 'number'>;

export async function appendInPieces(
  queue: CallQueue,
  id: string,
  input: AppendInput,
): Promise<AppendOutcome> {
  const append = (...more: readonly unknown[]) =>
    queue.call({ method: 'append', args: [id, ...more] }) as Promise<AppendOutcome>;
  if (input.data === null || input.data.length <= STAGED_ABOVE_BYTES) return append(input);
  const state = (await queue.call({ method: 'get', args: [id] })) as StreamState | undefined;
  // An append that will be refused need not be staged.
  if (!state || state.closed || state.deleted || state.corruptFrom) return append(input);
  return append({ ...input, data: null }, await stage(queue, input.data));
}

export async function createInPieces(queue: CallQueue, stream: NewStream): Promise<Creation> {
  const create = (...args: readonly unknown[]) => queue.call({ method: 'create', args }) as Promise<Creation>;
  if (stream.data === null || stream.data.length <= STAGED_ABOVE_BYTES) return create(stream);
  const existing = await queue.call({ method: 'get', args: [stream.id] });
  return existing ? create(stream) : create({ ...stream, data: null }, await stage(queue, stream.data));
}

async function stage(queue: CallQueue, data: Uint8Array): Promise<StagedRecord> {
  const parts: StagedPart[] = [];
  const save = (from: number) => {
    // A copy, which is transferred. A view would be sent with its whole buffer, and so would a slice of a `Buffer`.
    const bytes = new Uint8Array(data.subarray(from, from + PIECE_BYTES));
    return queue.bulk({ store: 'loose', method: 'stage', args: [bytes] }) as Promise<Saved>;
  };
  try {
    // The next piece is sent while one is being written.
    let next = save(0);
    for (let from = 0; from < data.length; from += PIECE_BYTES) {
      const saving = next;
      const rest = from + PIECE_BYTES;
      if (rest < data.length) next = save(rest);
      const { number, checksum } = await saving;
      parts.push({ from, number, checksum: rest < data.length ? complementOf(checksum) : checksum });
    }
    return { length: data.length, parts };
  } catch (error) {
    // A piece that was in flight when another failed is removed by the next start.
    queue.bulk({ store: 'loose', method: 'release', args: [{ parts }] }).catch(() => undefined);
    throw error;
  }
}
