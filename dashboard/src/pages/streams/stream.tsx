/** One stream: read from an offset, followed live, shown in the form that suits its content. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useStream } from '../../live/use-stream';
import { withParam } from '../../search';
import { CopyButton, shellQuote } from '../../ui/copy';
import { Page } from '../../ui/page';
import { ReadStateNote } from './read-state';
import { StreamBody } from './stream-body';

export function StreamPage() {
  const { _splat: path = '' } = useParams({ from: '/shell/stream/$' });
  const { view, offset } = useSearch({ from: '/shell/stream/$' });
  const navigate = useNavigate({ from: '/stream/$' });
  const url = `/v1/stream/${path.split('/').map(encodeURIComponent).join('/')}`;
  const read = useStream(url, offset);
  const resume = `${location.origin}${url}?offset=${encodeURIComponent(read.offset)}&live=long-poll`;
  return (
    <Page
      title={<span className="wire">{path}</span>}
      name={path}
      lead={<ReadStateNote read={read} />}
      actions={
        <>
          <CopyButton text={resume}>Copy resume URL</CopyButton>
          <CopyButton text={`curl -H "Authorization: Bearer $SONDE_TOKEN" ${shellQuote(resume)}`}>
            Copy as curl
          </CopyButton>
        </>
      }
    >
      <StreamBody
        read={read}
        view={view}
        offset={offset}
        setView={(next) => void navigate({ search: withParam('view', next), replace: true })}
        setOffset={(next) => void navigate({ search: withParam('offset', next) })}
      />
    </Page>
  );
}
