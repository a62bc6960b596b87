/** Every page that was read, with its status. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditReport } from '../../api/types';
import { withParam } from '../../search';
import { SearchField } from '../../ui/filters';
import { State } from '../../ui/mark';
import { Panel } from '../../ui/page';
import { Empty } from '../../ui/states';
import { count } from '../../ui/time';
import { VirtualList } from '../../ui/virtual-list';

export function ReportPages({ report }: { report: AuditReport }) {
  const { q = '' } = useSearch({ from: '/shell/audits/$id' });
  const navigate = useNavigate({ from: '/audits/$id' });
  const shown = report.pages.filter(({ url }) => url.toLowerCase().includes(q.toLowerCase()));
  const { leftByPages, leftByDepth } = report.crawl;
  return (
    <Panel
      title={count(shown.length, 'page')}
      aside={
        <SearchField
          label="Filter by URL"
          value={q}
          onChange={(value) =>
            void navigate({ search: withParam('q', value), replace: true, resetScroll: false })
          }
        />
      }
    >
      {leftByPages + leftByDepth > 0 ? (
        <p className="small muted">
          {leftByPages} known pages were left out by the page limit and {leftByDepth} by the depth limit.
        </p>
      ) : null}
      {shown.length === 0 ? (
        <Empty title="No page matches the filter" />
      ) : (
        <VirtualList
          items={shown}
          label="Pages"
          rowPx={40}
          keyOf={({ url }, at) => `${at} ${url}`}
          row={({ url, status }) => (
            <div className="row">
              <State tone={status === null || status >= 400 ? 'critical' : status >= 300 ? 'info' : 'pass'}>
                {status ?? 'no response'}
              </State>
              <span className="row-main wire">{url}</span>
            </div>
          )}
        />
      )}
    </Panel>
  );
}
