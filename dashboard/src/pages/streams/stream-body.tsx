/** The views of a stream's bytes, the start offset, and whether to follow the end. */
import { type FormEvent, useState } from 'react';
import type { ReadSnapshot } from '../../live/stream-reader';
import { Tabs } from '../../ui/filters';
import { useShortcuts } from '../../ui/shortcuts';
import { Empty, Failed } from '../../ui/states';
import { Assembled } from './assembled';
import { Events, Hex, Messages, Text } from './byte-views';

const VIEWS = {
  assembled: 'Assembled',
  events: 'Events',
  json: 'JSON',
  text: 'Text',
  hex: 'Hex',
} as const;
export type View = keyof typeof VIEWS;

interface StreamBodyProps {
  readonly read: ReadSnapshot;
  readonly view: string | undefined;
  readonly offset: string | undefined;
  readonly setView: (view: View) => void;
  readonly setOffset: (offset: string | undefined) => void;
}

export function StreamBody({ read, view, offset, setView, setOffset }: StreamBodyProps) {
  const [follow, setFollow] = useState(true);
  useShortcuts({ f: () => setFollow((on) => !on) });
  if (read.state === 'failed') return <Failed error={read.error} what="the stream" />;
  const views = viewsOf(read);
  const current = views.find((name) => name === view) ?? views[0] ?? 'text';
  const isOpen = read.state !== 'ended';
  return (
    <section className="panel stream" aria-label="Content">
      <div className="stream-bar">
        <Tabs
          label="Views of the content"
          current={current}
          names={views.map((name) => [name, VIEWS[name]] as const)}
          select={setView}
        />
        <OffsetForm offset={offset} setOffset={setOffset} />
        {isOpen && current !== 'assembled' ? (
          <button type="button" className="chip" aria-pressed={follow} onClick={() => setFollow(!follow)}>
            {follow ? 'Following' : 'Paused: resume'}
          </button>
        ) : null}
      </div>
      {read.model.bytes === 0 && read.state !== 'loading' ? (
        <Empty title="Nothing here yet">
          {isOpen ? 'Bytes appear as soon as they are stored.' : 'The stream ended without content.'}
        </Empty>
      ) : (
        <Content read={read} view={current} follow={follow && isOpen} setFollow={setFollow} />
      )}
    </section>
  );
}

function viewsOf({ model }: ReadSnapshot): readonly View[] {
  if (model.isSse) return ['assembled', 'events', 'text', 'hex'];
  return model.isJson ? ['json', 'text', 'hex'] : ['text', 'hex'];
}

interface ContentProps {
  readonly read: ReadSnapshot;
  readonly view: View;
  readonly follow: boolean;
  readonly setFollow: (follow: boolean) => void;
}

function Content({ read, view, follow, setFollow }: ContentProps) {
  const shared = { model: read.model, version: read.version, follow, onAtEnd: setFollow };
  switch (view) {
    case 'assembled':
      return <Assembled model={read.model} version={read.version} />;
    case 'events':
      return <Events {...shared} />;
    case 'json':
      return <Messages {...shared} />;
    case 'hex':
      return <Hex {...shared} />;
    default:
      return <Text {...shared} />;
  }
}

interface OffsetFormProps {
  readonly offset: string | undefined;
  readonly setOffset: (offset: string | undefined) => void;
}

function OffsetForm({ offset, setOffset }: OffsetFormProps) {
  const [text, setText] = useState(offset ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setOffset(text.trim() === '' ? undefined : text.trim());
  };
  return (
    <form className="offset" onSubmit={submit}>
      <input
        className="wire"
        aria-label="Offset to read from"
        placeholder="Read from an offset"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="button">
        Go to offset
      </button>
    </form>
  );
}
