/** One stream: read from an offset, followed live, and shown in the view that suits its content. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useStream } from '../../live/use-stream';
import { withParam } from '../../search';
import { StreamFrame } from './stream-frame';

export function StreamPage() {
  const { _splat: path = '' } = useParams({ from: '/shell/stream/$' });
  const { view, offset } = useSearch({ from: '/shell/stream/$' });
  const navigate = useNavigate({ from: '/stream/$' });
  const url = `/v1/stream/${path.split('/').map(encodeURIComponent).join('/')}`;
  return (
    <StreamFrame
      title={<span className="wire">{path}</span>}
      name={path}
      url={url}
      read={useStream(url, offset)}
      view={view}
      offset={offset}
      setView={(next) => void navigate({ search: withParam('view', next), replace: true })}
      setOffset={(next) => void navigate({ search: withParam('offset', next) })}
    />
  );
}
