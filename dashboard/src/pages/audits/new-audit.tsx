/** The form for a new audit. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { shellQuote } from '../../ui/copy';
import { Choices, WorkForm, withScheme } from '../../ui/form';
import { Page } from '../../ui/page';

const PAGES = [25, 100, 500, 2000].map((n) => [n, `${n.toLocaleString('en')} pages`] as const);

export function NewAuditPage() {
  const given = useSearch({ from: '/shell/audits/new' });
  const [text, setText] = useState(given.url ?? '');
  const [pages, setPages] = useState(100);
  const navigate = useNavigate();
  const url = withScheme(text);
  const start = useMutation({
    async mutationFn() {
      const { auditId } = await unwrap(api.POST('/api/audits', { body: { url, pages } }));
      await navigate({ to: '/audits/$id', params: { id: auditId } });
    },
  });
  return (
    <Page title="New audit" lead="Sonde reads robots.txt first and keeps its request rate low.">
      <WorkForm
        start={start}
        action="Start the audit"
        command={() => `sonde audit ${shellQuote(url)} --pages ${pages}`}
      >
        <label>
          Address of the site
          <input
            className="wire"
            required
            inputMode="url"
            placeholder="https://example.com"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <Choices legend="At most" name="pages" of={PAGES} chosen={pages} choose={setPages} />
      </WorkForm>
    </Page>
  );
}
