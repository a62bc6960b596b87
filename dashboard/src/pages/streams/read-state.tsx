/** What a reader is doing, announced only when it changes. */
import type { ReadSnapshot } from '../../live/stream-reader';
import { State } from '../../ui/mark';
import { size } from '../../ui/time';

const STATES = {
  loading: ['info', 'Loading'],
  live: ['pass', 'Following live'],
  reconnecting: ['warn', 'Connection lost, resuming'],
  ended: ['muted', 'Complete'],
  full: ['warn', 'Paused at the limit of this page'],
  failed: ['critical', 'Cannot be read'],
} as const;

export function ReadStateNote({ read }: { read: ReadSnapshot }) {
  const [tone, text] = STATES[read.state];
  return (
    <>
      <span role="status">
        <State tone={tone}>{text}</State>
      </span>{' '}
      {size(read.model.bytes)}
      {read.model.contentType === '' ? '' : `, ${read.model.contentType}`}
    </>
  );
}
