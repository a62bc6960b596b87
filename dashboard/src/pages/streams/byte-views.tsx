/** A stream's content as lines, server-sent events, JSON messages or bytes; each a list of which little exists. */
import type { SseEvent } from '../../live/sse';
import type { StreamModel } from '../../live/stream-model';
import { VirtualList } from '../../ui/virtual-list';

interface ByteViewProps {
  readonly model: StreamModel;
  readonly version: number;
  readonly follow: boolean;
  readonly onAtEnd: (atEnd: boolean) => void;
}

/** A row longer than this is cut, and says so. */
const ROW_CHARS_MAX = 4_000;

function cut(text: string): string {
  if (text.length <= ROW_CHARS_MAX) return text;
  return `${text.slice(0, ROW_CHARS_MAX)} … (${(text.length - ROW_CHARS_MAX).toLocaleString('en')} more characters)`;
}

export function Text({ model, follow, onAtEnd }: ByteViewProps) {
  return (
    <VirtualList
      items={model.lines}
      label="Text"
      className="wire tail"
      rowPx={20}
      follow={follow}
      onAtEnd={onAtEnd}
      keyOf={(_line, at) => at}
      row={(line) => <div className="line">{cut(line) || ' '}</div>}
    />
  );
}

export function Events({ model, follow, onAtEnd }: ByteViewProps) {
  return (
    <VirtualList
      items={model.events}
      label="Server-sent events"
      className="wire tail"
      rowPx={24}
      follow={follow}
      onAtEnd={onAtEnd}
      keyOf={(_event, at) => at}
      row={(event, at) => <EventRow event={event} at={at} />}
    />
  );
}

function EventRow({ event, at }: { event: SseEvent; at: number }) {
  return (
    <div className="event">
      <span className="muted">{at + 1}</span>
      <span className="event-name">{event.event}</span>
      <span className="line">{cut(event.data)}</span>
    </div>
  );
}

export function Messages({ model, follow, onAtEnd }: ByteViewProps) {
  return (
    <VirtualList
      items={model.messages}
      label="JSON messages"
      className="wire tail"
      rowPx={24}
      follow={follow}
      onAtEnd={onAtEnd}
      keyOf={(_message, at) => at}
      row={(message, at) => (
        <div className="event">
          <span className="muted">{at + 1}</span>
          <span className="line">{cut(JSON.stringify(message))}</span>
        </div>
      )}
    />
  );
}

const HEX_WIDTH = 16;

export function Hex({ model, follow, onAtEnd }: ByteViewProps) {
  return (
    <VirtualList
      items={{ length: Math.ceil(model.bytes / HEX_WIDTH) }}
      label="Bytes"
      className="wire tail"
      rowPx={20}
      follow={follow}
      onAtEnd={onAtEnd}
      keyOf={(_row, at) => at}
      row={(_row, at) => <HexRow model={model} start={at * HEX_WIDTH} />}
    />
  );
}

function HexRow({ model, start }: { model: StreamModel; start: number }) {
  const bytes = [...model.slice(start, start + HEX_WIDTH)];
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const text = bytes.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '·')).join('');
  return (
    <div className="hex">
      <span className="muted">{start.toString(16).padStart(8, '0')}</span>
      <span>{hex.padEnd(HEX_WIDTH * 3 - 1)}</span>
      <span>{text}</span>
    </div>
  );
}
