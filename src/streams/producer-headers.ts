/** Parses the three producer headers. A request must have all of them, or none. */
import { SondeError } from '../errors.js';
import type { StreamCall } from './stream-response.js';
import type { ProducerTuple } from './stream-store.js';

const NAMES = ['producer-id', 'producer-epoch', 'producer-seq'] as const;
const WHOLE = /^(0|[1-9]\d*)$/;

export function readProducer(call: Pick<StreamCall, 'header'>): ProducerTuple | null {
  const [id, epoch, seq] = NAMES.map((name) => call.header(name));
  if (id === null && epoch === null && seq === null) return null;
  if (typeof id !== 'string' || typeof epoch !== 'string' || typeof seq !== 'string') {
    throw new SondeError(
      'INVALID_REQUEST',
      'Producer-Id, Producer-Epoch and Producer-Seq must be sent together',
    );
  }
  if (id === '') throw new SondeError('INVALID_REQUEST', 'Producer-Id is empty');
  return { id, epoch: parseWhole('Producer-Epoch', epoch), seq: parseWhole('Producer-Seq', seq) };
}

function parseWhole(name: string, text: string): number {
  const value = Number(text);
  if (WHOLE.test(text) && Number.isSafeInteger(value)) return value;
  throw new SondeError('INVALID_REQUEST', `${name} must be a whole number up to ${Number.MAX_SAFE_INTEGER}`);
}
