/** GET: catch-up at once, or live by long-poll or server-sent events. */
import { SondeError } from '../errors.js';
import { catchUp } from './catch-up.js';
import { followSse } from './follow-sse.js';
import { longPoll } from './long-poll.js';
import { isJson } from './media-type.js';
import { invalidOffset, type OffsetToken, parseOffset } from './offset.js';
import { openStream, touch } from './open-stream.js';
import { refuseDamaged } from './read-spans.js';
import { refuseForged } from './refuse-forged.js';
import { resolvePosition } from './resolve-position.js';
import type { StreamAnswer, StreamCall } from './stream-answer.js';
import type { StreamParts } from './stream-parts.js';

export async function readStream(parts: StreamParts, call: StreamCall): Promise<StreamAnswer> {
  const token = readToken(call.query);
  const live = call.query.get('live');
  if (live !== null && live !== 'long-poll' && live !== 'sse') {
    throw new SondeError('INVALID_REQUEST', 'live is long-poll or sse');
  }
  if (live !== null && !token) throw invalidOffset('a live read needs an offset');
  const state = await openStream(parts, call.id);
  touch(parts, state);
  const from = resolvePosition(state, token ?? { kind: 'start' });
  refuseDamaged(state, from);
  // Other reads plan before their head goes out, and find it then.
  if (live === 'sse' || isJson(state.contentType)) await refuseForged(parts, state, from);
  if (live === 'sse') return followSse(parts, call, { state, from });
  if (live === 'long-poll') return longPoll(parts, call, { state, from });
  return catchUp(parts, call, { state, from, token: token ?? { kind: 'start' } });
}

function readToken(query: URLSearchParams): OffsetToken | undefined {
  const given = query.getAll('offset');
  if (given.length > 1) throw invalidOffset('offset was given more than once');
  return given[0] === undefined ? undefined : parseOffset(given[0]);
}
