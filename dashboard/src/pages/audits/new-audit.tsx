/** The form for a new audit, empty or with everything that an earlier audit had. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { auditQuery } from '../../api/audits';
import { api, unwrap } from '../../api/client';
import type { Audit } from '../../api/types';
import { shellQuote } from '../../ui/copy';
import { Choices, WorkForm, withScheme } from '../../ui/form';
import { Page } from '../../ui/page';
import { Loaded } from '../../ui/states';

const PAGES = [25, 100, 500, 2000].map((n) => [n, `${n.toLocaleString('en')} pages`] as const);
const PAGES_DEFAULT = 100;

/** Options that the form does not show. */
type OtherOptions = Pick<Audit['options'], 'depth' | 'concurrency' | 'delayMs' | 'checks' | 'links'>;

interface First {
  readonly url: string;
  readonly pages: number;
  readonly others: OtherOptions;
}

export function NewAuditPage() {
  const { from, url = '' } = useSearch({ from: '/shell/audits/new' });
  const earlier = useQuery({ ...auditQuery(from ?? '', false), enabled: from !== undefined });
  return (
    <Page title="New audit" lead="Sonde reads robots.txt first and keeps its request rate low.">
      {from === undefined ? (
        <Form first={{ url, pages: PAGES_DEFAULT, others: {} }} />
      ) : (
        <Loaded query={earlier} what="the earlier audit">
          {(audit) => <Form first={firstOf(audit)} />}
        </Loaded>
      )}
    </Page>
  );
}

function firstOf({ url, options }: Audit): First {
  const { pages = PAGES_DEFAULT, ...rest } = options;
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => Object.hasOwn(NAMES, name)));
  return { url, pages, others };
}

function Form({ first }: { first: First }) {
  const [text, setText] = useState(first.url);
  const [pages, setPages] = useState(first.pages);
  const navigate = useNavigate();
  const url = withScheme(text);
  const start = useMutation({
    async mutationFn() {
      const { auditId } = await unwrap(api.POST('/api/audits', { body: { ...first.others, url, pages } }));
      await navigate({ to: '/audits/$id', params: { id: auditId } });
    },
  });
  const others = Object.entries(first.others);
  const choices = PAGES.some(([n]) => n === first.pages)
    ? PAGES
    : [...PAGES, [first.pages, `${first.pages.toLocaleString('en')} pages`] as const];
  return (
    <WorkForm
      start={start}
      action="Start the audit"
      command={() =>
        ['sonde', 'audit', url, '--pages', String(pages), ...optionsOf(others)].map(shellQuote).join(' ')
      }
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
      <Choices legend="At most" name="pages" of={choices} chosen={pages} choose={setPages} />
      {others.length > 0 ? (
        <p className="small muted">
          As in the earlier audit:{' '}
          {others.map(([name, value]) => `${NAMES[name] ?? name} ${value}`).join(', ')}.
        </p>
      ) : null}
    </WorkForm>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  depth: 'depth',
  concurrency: 'requests at once',
  delayMs: 'delay in ms',
  checks: 'checks',
  links: 'links',
};

const FLAGS: Readonly<Record<string, (value: unknown) => string[]>> = {
  depth: (value) => ['--depth', String(value)],
  concurrency: (value) => ['--concurrency', String(value)],
  delayMs: (value) => ['--delay', String(value)],
  checks: (value) => ['--checks', String(value)],
  links: (value) => ['--links', String(value)],
};

function optionsOf(others: readonly (readonly [string, unknown])[]): string[] {
  return others.flatMap(([name, value]) => FLAGS[name]?.(value) ?? []);
}
