/** The frame of a stream's page: how far it was read, links to continue from there, and its content. */
import type { ReactNode } from 'react';
import type { ReadSnapshot } from '../../live/stream-reader';
import { CopyButton, shellQuote } from '../../ui/copy';
import { Page } from '../../ui/page';
import { ReadStateNote } from './read-state';
import { StreamBody, type View } from './stream-body';

interface StreamFrameProps {
  readonly title: ReactNode;
  /** The window title. */
  readonly name: string;
  /** The URL to read, without an offset. */
  readonly url: string;
  readonly read: ReadSnapshot;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  /** Shown between the head and the content. */
  readonly notes?: ReactNode;
  readonly view: string | undefined;
  readonly offset: string | undefined;
  readonly setView: (view: View) => void;
  readonly setOffset: (offset: string | undefined) => void;
  readonly children?: ReactNode;
}

export function StreamFrame(props: StreamFrameProps) {
  const { title, name, url, read, lead, actions, notes, children, ...content } = props;
  const resume = `${location.origin}${url}?offset=${encodeURIComponent(read.offset)}&live=long-poll`;
  return (
    <Page
      title={title}
      name={name}
      lead={
        <>
          {lead}
          <ReadStateNote read={read} />
        </>
      }
      actions={
        <>
          {actions}
          <CopyButton text={resume}>Copy resume URL</CopyButton>
          <CopyButton text={`curl -H "Authorization: Bearer $SONDE_TOKEN" ${shellQuote(resume)}`}>
            Copy as curl
          </CopyButton>
        </>
      }
    >
      {notes}
      <StreamBody read={read} {...content} />
      {children}
    </Page>
  );
}
