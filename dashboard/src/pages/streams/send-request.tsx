/**
 * Sends a request through a configured route. As soon as the upstream has responded, the page of the recorded response
 * opens and reads it from the store, so that it can resume after a broken connection.
 */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { streamsQuery } from '../../api/streams';
import { Page } from '../../ui/page';
import { textOf } from '../../ui/states';
import { type Outgoing, sendOut } from './send-out';

const METHODS = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'] as const;
const EXAMPLE = JSON.stringify(
  { model: 'demo', stream: true, messages: [{ role: 'user', content: 'Hello' }] },
  null,
  2,
);

export function SendRequestPage() {
  const given = useSearch({ from: '/shell/responses/new' });
  const [form, setForm] = useState<Outgoing>({
    route: given.route ?? '',
    path: given.path ?? 'v1/chat/completions',
    method: 'POST',
    body: given.body ?? EXAMPLE,
  });
  const change = (part: Partial<Outgoing>) => setForm((old) => ({ ...old, ...part }));
  const navigate = useNavigate();
  const sending = useMutation({
    mutationFn: async () => navigate({ to: '/responses/$id', params: { id: await sendOut(form) } }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <Page title="Send a request" lead="Through one of the routes configured on this server.">
      <form className="form panel" onSubmit={submit}>
        <RouteField route={form.route} change={change} />
        <div className="sides">
          <label>
            Method
            <select value={form.method} onChange={(event) => change({ method: event.target.value })}>
              {METHODS.map((method) => (
                <option key={method}>{method}</option>
              ))}
            </select>
          </label>
          <label>
            Path below the route
            <input
              className="wire"
              value={form.path}
              onChange={(event) => change({ path: event.target.value })}
            />
          </label>
        </div>
        {form.method === 'GET' ? null : (
          <label>
            Body, sent as JSON
            <textarea
              className="wire"
              rows={10}
              value={form.body}
              onChange={(event) => change({ body: event.target.value })}
            />
          </label>
        )}
        <p role="alert" className="fault">
          {sending.error ? textOf(sending.error) : null}
        </p>
        <div className="actions">
          <button type="submit" className="button primary" disabled={sending.isPending}>
            {sending.isPending ? 'Waiting for the upstream' : 'Send'}
          </button>
        </div>
        <p className="small muted">
          A real model charges for what it sends. Routes are a setting of the server:{' '}
          <code>{`--proxy-routes '{"openai":{"url":"https://api.openai.com"}}'`}</code>
        </p>
      </form>
    </Page>
  );
}

function RouteField({ route, change }: { route: string; change: (part: Partial<Outgoing>) => void }) {
  const recent = useInfiniteQuery(streamsQuery({ kind: 'response' })).data?.pages[0]?.streams ?? [];
  const routes = [
    ...new Set(recent.flatMap((entry) => (entry.kind === 'response' ? (entry.route ?? []) : []))),
  ];
  return (
    <label>
      Route
      <input
        className="wire"
        required
        list="routes"
        placeholder="openai"
        value={route}
        onChange={(event) => change({ route: event.target.value })}
      />
      <datalist id="routes">
        {routes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
