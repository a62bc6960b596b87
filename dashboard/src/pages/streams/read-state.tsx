/** What a reader is doing, announced only when it changes. */
import type { ReadSnapshot } from '../../live/stream-reader';
import { State, type Tone } from '../../ui/mark';
import { size } from '../../ui/time';

const STATES = {
  loading: ['info', 'Loading'],
  live: ['pass', 'Following live'],
  reconnecting: ['warn', 'Connection lost, resuming'],
  ended: ['muted', 'Complete'],
  full: ['warn', 'Paused at the limit of this page'],
  failed: ['critical', 'Cannot be read'],
} as const;

/** How a recorded response ended, if it is not complete. */
const ENDINGS: Readonly<Record<string, readonly [Tone, string]>> = {
  aborted: ['warn', 'Aborted'],
  timeout: ['critical', 'Timed out'],
  failed: ['critical', 'Cut off'],
};

const FAULTS: Readonly<Record<string, string>> = {
  PUMP_LOST: 'The server was stopped while the upstream was sending.',
  SERVER_STOPPED: 'The server was stopped while the upstream was sending.',
  UPSTREAM_RESET: 'The upstream broke the connection.',
  UPSTREAM_TRUNCATED: 'The upstream ended its response too early.',
  UPSTREAM_BODY_TIMEOUT: 'The upstream sent nothing for too long.',
  RESPONSE_TOO_LARGE: 'The response was larger than this server stores.',
  STORAGE_ERROR: 'The server could not store more of it.',
  UPSTREAM_ERROR: 'The upstream could not be reached, or it broke the connection before it responded.',
  UPSTREAM_TIMEOUT: 'The upstream sent no response head in time.',
  REDIRECT_NOT_ALLOWED: 'The upstream answered with a redirect, which is not followed.',
};

/** Why a response is not complete, and what that means for the shown content. */
export function EndingNote({ read }: { read: ReadSnapshot }) {
  const { outcome, fault } = read.facts;
  if (read.state !== 'ended' || outcome === null || outcome === 'completed') return null;
  const why = outcome === 'aborted' ? 'It was aborted on request.' : FAULTS[fault ?? ''];
  return (
    <p className="note" role="note">
      {why ?? 'It ended before the upstream was done.'} Everything stored until then is shown below. To get
      the whole response, send the request again.
    </p>
  );
}

export function ReadStateNote({ read }: { read: ReadSnapshot }) {
  const ending = read.state === 'ended' ? ENDINGS[read.facts.outcome ?? ''] : undefined;
  const [tone, text] = ending ?? STATES[read.state];
  return (
    <>
      <span role="status">
        <State tone={tone}>{text}</State>
      </span>
      <span className="read-facts">
        {size(read.model.bytes)}
        {read.model.contentType === '' ? '' : ` · ${read.model.contentType}`}
      </span>
    </>
  );
}
