/** GET: a catch-up read, or a live read by long-poll or server-sent events. */
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
import type { StreamDeps } from './stream-deps.js';
import type { StreamCall, StreamResponse } from './stream-response.js';

export async function readStream(deps: StreamDeps, call: StreamCall): Promise<StreamResponse> {
  const token = readToken(call.query);
  const live = call.query.get('live');
  if (live !== null && live !== 'long-poll' && live !== 'sse') {
    throw new SondeError('INVALID_REQUEST', 'live must be long-poll or sse');
  }
  if (live !== null && !token) throw invalidOffset('a live read needs an offset');
  const state = await openStream(deps, call.id);
  touch(deps, state);
  const from = resolvePosition(state, token ?? { kind: 'start' });
  refuseDamaged(state, from);
  // Other reads plan before they send the response head, and find a forged offset then.
  if (live === 'sse' || isJson(state.contentType)) await refuseForged(deps, state, from);
  if (live === 'sse') return followSse(deps, call, { state, from });
  if (live === 'long-poll') return longPoll(deps, call, { state, from });
  return catchUp(deps, call, { state, from, token: token ?? { kind: 'start' } });
}

function readToken(query: URLSearchParams): OffsetToken | undefined {
  const given = query.getAll('offset');
  if (given.length > 1) throw invalidOffset('offset was given more than once');
  return given[0] === undefined ? undefined : parseOffset(given[0]);
}
