/** The demo: two shops with planted drift, a site with planted faults and a model that streams, all on loopback. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { demoQuery, useDemo } from '../../api/system';
import type { Demo } from '../../api/types';
import { textOf } from '../../ui/states';
import { sendOut } from '../streams/send-out';

type Running = Extract<Demo, { running: true }>;

/** `first` is true if nothing has been done on this server yet. */
export function DemoCard({ first }: { first: boolean }) {
  const queries = useQueryClient();
  const demo = useDemo();
  const start = useMutation({
    mutationFn: () => unwrap(api.POST('/api/demo')),
    onSuccess: (data) => queries.setQueryData(demoQuery().queryKey, data),
  });
  if (demo?.running) return <RunningDemo demo={demo} />;
  if (!demo || !first) return null;
  return (
    <section className="panel demo" aria-label="Demo">
      <div>
        <h2>See it work, offline, in a minute</h2>
        <p>
          Two small shops that have drifted apart, a site with faults and a model that streams: started on
          this machine, reachable from nowhere else, gone when you stop them.
        </p>
        {start.error ? (
          <p role="alert" className="fault">
            {textOf(start.error)}
          </p>
        ) : null}
      </div>
      <button
        type="button"
        className="button primary"
        disabled={start.isPending}
        onClick={() => start.mutate()}
      >
        Start the demo
      </button>
    </section>
  );
}

function RunningDemo({ demo }: { demo: Running }) {
  const queries = useQueryClient();
  const stop = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/demo')),
    onSuccess: () => queries.invalidateQueries({ queryKey: demoQuery().queryKey }),
  });
  const { compareShops, auditSite, streamFromModel } = useDemoActions(demo);
  const failure = compareShops.error ?? auditSite.error ?? streamFromModel.error ?? stop.error;
  return (
    <section className="panel demo is-running" aria-label="Demo">
      <header className="panel-head">
        <h2>The demo is running</h2>
        <button type="button" className="button quiet" onClick={() => stop.mutate()}>
          Stop the demo
        </button>
      </header>
      <ul className="demo-steps">
        <li>
          <button
            type="button"
            className="button primary"
            disabled={compareShops.isPending}
            onClick={() => compareShops.mutate()}
          >
            Compare the two shops
          </button>
          <p className="small muted">
            Staging against production, five paths. <Link to="/compare/new">Compare your own</Link>
          </p>
        </li>
        <li>
          <button
            type="button"
            className="button primary"
            disabled={auditSite.isPending}
            onClick={() => auditSite.mutate()}
          >
            Audit the site
          </button>
          <p className="small muted">
            <span className="wire">{demo.audit.url}</span>. <Link to="/audits/new">Audit your own</Link>
          </p>
        </li>
        <li>
          <button
            type="button"
            className="button primary"
            disabled={streamFromModel.isPending}
            onClick={() => streamFromModel.mutate()}
          >
            Stream from the model
          </button>
          <p className="small muted">
            Cut the connection while it streams; it resumes where it stopped.{' '}
            <Link to="/responses/new">Send your own</Link>
          </p>
        </li>
      </ul>
      {failure ? (
        <p role="alert" className="fault">
          {textOf(failure)}
        </p>
      ) : null}
    </section>
  );
}

function useDemoActions({ compare, audit, model }: Running) {
  const navigate = useNavigate();
  const compareShops = useMutation({
    async mutationFn() {
      const { left, right, leftLabel, rightLabel, paths } = compare;
      const body = { leftUrl: left, rightUrl: right, leftLabel, rightLabel, paths, samples: 3 };
      const { suiteId } = await unwrap(api.POST('/api/suites', { body }));
      await navigate({ to: '/suites/$id', params: { id: suiteId } });
    },
  });
  const auditSite = useMutation({
    async mutationFn() {
      const { auditId } = await unwrap(api.POST('/api/audits', { body: { url: audit.url } }));
      await navigate({ to: '/audits/$id', params: { id: auditId } });
    },
  });
  const streamFromModel = useMutation({
    async mutationFn() {
      const { route, path, body } = model;
      const id = await sendOut({ route, path, method: 'POST', body: JSON.stringify(body) });
      await navigate({ to: '/responses/$id', params: { id } });
    },
  });
  return { compareShops, auditSite, streamFromModel };
}
