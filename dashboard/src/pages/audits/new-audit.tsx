/** The form of an audit. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { CopyButton, shellQuote } from '../../ui/copy';
import { Page } from '../../ui/page';
import { textOf } from '../../ui/states';

const PAGES = [25, 100, 500, 2000] as const;

export function NewAuditPage() {
  const given = useSearch({ from: '/shell/audits/new' });
  const [url, setUrl] = useState(given.url ?? '');
  const [pages, setPages] = useState<number>(100);
  const navigate = useNavigate();
  const address =
    /^[a-z]+:\/\//i.test(url.trim()) || url.trim() === '' ? url.trim() : `https://${url.trim()}`;
  const start = useMutation({
    async mutationFn() {
      const { auditId } = await unwrap(api.POST('/api/audits', { body: { url: address, pages } }));
      await navigate({ to: '/audits/$id', params: { id: auditId } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <Page title="New audit" lead="Sonde reads robots.txt first and keeps its request rate low.">
      <form className="form panel" onSubmit={submit}>
        <label>
          Address of the site
          <input
            className="wire"
            required
            inputMode="url"
            placeholder="https://example.com"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </label>
        <fieldset className="choices">
          <legend>At most</legend>
          {PAGES.map((n) => (
            <label key={n}>
              <input type="radio" name="pages" checked={pages === n} onChange={() => setPages(n)} />
              <span>{n.toLocaleString('en')} pages</span>
            </label>
          ))}
        </fieldset>
        <p role="alert" className="fault">
          {start.error ? textOf(start.error) : null}
        </p>
        <div className="actions">
          <button type="submit" className="button primary" disabled={start.isPending}>
            Start the audit
          </button>
          <CopyButton text={() => `sonde audit ${shellQuote(address)} --pages ${pages}`}>
            Copy as command
          </CopyButton>
        </div>
        <p className="small muted">
          Private addresses are blocked unless the server was started with{' '}
          <code>--allow-private http://127.0.0.1:PORT</code>.
        </p>
      </form>
    </Page>
  );
}
