/**
 * A stream's content as lines, server-sent events, JSON messages or bytes; each is a list that renders only visible
 * rows.
 */
import type { StreamModel } from '../../live/stream-model';
import { TailList } from '../../ui/tail-list';

interface ByteViewProps {
  readonly model: StreamModel;
  readonly version: number;
  readonly follow: boolean;
  readonly onAtEnd: (atEnd: boolean) => void;
}

/** A longer row is cut, and says so. */
const ROW_CHARS_MAX = 4_000;
const ROW_PX = 22;

function cut(text: string): string {
  if (text.length <= ROW_CHARS_MAX) return text;
  return `${text.slice(0, ROW_CHARS_MAX)} … (${(text.length - ROW_CHARS_MAX).toLocaleString('en')} more characters)`;
}

export function Text({ model, follow, onAtEnd }: ByteViewProps) {
  return (
    <TailList
      count={model.lines.length}
      label="Text"
      rowPx={ROW_PX}
      follow={follow}
      onAtEnd={onAtEnd}
      row={(at) => <div className="line">{cut(model.lines[at] ?? '') || ' '}</div>}
    />
  );
}

export function Events({ model, follow, onAtEnd }: ByteViewProps) {
  return (
    <TailList
      count={model.events.length}
      label="Server-sent events"
      rowPx={ROW_PX}
      follow={follow}
      onAtEnd={onAtEnd}
      row={(at) => (
        <div className="event">
          <span className="muted">{at + 1}</span>
          <span className="event-name">{model.events[at]?.event}</span>
          <span className="line">{oneLine(model.events[at]?.data ?? '')}</span>
        </div>
      )}
    />
  );
}

export function Messages({ model, follow, onAtEnd }: ByteViewProps) {
  return (
    <TailList
      count={model.messages.length}
      label="JSON messages"
      rowPx={ROW_PX}
      follow={follow}
      onAtEnd={onAtEnd}
      row={(at) => (
        <div className="event">
          <span className="muted">{at + 1}</span>
          <span className="line">{cut(JSON.stringify(model.messages[at]))}</span>
        </div>
      )}
    />
  );
}

/** The data of an event may have several lines, but a row has one. */
function oneLine(text: string): string {
  return cut(text).replaceAll('\n', '↵');
}

const HEX_WIDTH = 16;

export function Hex({ model, follow, onAtEnd }: ByteViewProps) {
  return (
    <TailList
      count={Math.ceil(model.bytes / HEX_WIDTH)}
      label="Bytes"
      rowPx={ROW_PX}
      follow={follow}
      onAtEnd={onAtEnd}
      row={(at) => <HexRow model={model} start={at * HEX_WIDTH} />}
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
