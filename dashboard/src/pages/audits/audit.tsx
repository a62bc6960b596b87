/** One audit: live progress, then its report. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { auditQuery } from '../../api/audits';
import { api, unwrap } from '../../api/client';
import { useScope } from '../../api/session';
import type { Audit } from '../../api/types';
import { usePollMs } from '../../live/connection';
import { DemoHint } from '../../ui/demo-hint';
import { Page } from '../../ui/page';
import { Empty, Loaded, Loading, textOf } from '../../ui/states';
import { Time } from '../../ui/time';
import { AuditProgress } from './audit-progress';

const AuditReportView = lazy(async () => ({ default: (await import('./report')).AuditReportView }));

export function AuditPage() {
  const { id } = useParams({ from: '/shell/audits/$id' });
  const query = useQuery(auditQuery(id, usePollMs(1_000)));
  const { data } = query;
  return (
    <Page
      title="Audit"
      name={data ? `Audit of ${data.url}` : 'Audit'}
      lead={
        data ? (
          <>
            <span className="wire">{data.url}</span>, <Time at={data.createdAt} />
          </>
        ) : undefined
      }
      actions={data ? <Actions audit={data} /> : undefined}
    >
      <Loaded query={query} what="the audit">
        {(audit) => (
          <>
            <DemoHint of="audit" url={audit.url} />
            <Body audit={audit} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Body({ audit }: { audit: Audit }) {
  if (audit.status === 'queued' || audit.status === 'running') return <AuditProgress audit={audit} />;
  if (audit.status === 'done') {
    return (
      <Suspense fallback={<Loading what="the report" />}>
        <AuditReportView audit={audit} />
      </Suspense>
    );
  }
  return (
    <Empty title={audit.status === 'canceled' ? 'This audit was canceled' : 'This audit failed'}>
      {audit.lastError ?? 'It has no report. Retry it, or start a new one.'}
    </Empty>
  );
}

function Actions({ audit }: { audit: Audit }) {
  const queries = useQueryClient();
  const onSuccess = () => queries.invalidateQueries({ queryKey: ['audits'] });
  const cancel = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/audits/{auditId}/cancel', { params: { path: { auditId: audit.auditId } } })),
    onSuccess,
  });
  const retry = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/jobs/{jobId}/retry', { params: { path: { jobId: audit.jobId } } })),
    onSuccess,
  });
  if (!useScope('audit:write')) return null;
  const failure = cancel.error ?? retry.error;
  const { status } = audit;
  return (
    <>
      {failure ? (
        <span role="alert" className="fault">
          {textOf(failure)}
        </span>
      ) : null}
      {status === 'queued' || status === 'running' ? (
        <button type="button" className="button" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </button>
      ) : null}
      {status === 'failed' || status === 'canceled' ? (
        <button
          type="button"
          className="button primary"
          disabled={retry.isPending}
          onClick={() => retry.mutate()}
        >
          Retry
        </button>
      ) : null}
      {status === 'done' ? (
        <Link to="/audits/new" search={{ from: audit.auditId }} className="button">
          Audit again
        </Link>
      ) : null}
    </>
  );
}
