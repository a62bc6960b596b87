/** The form for a new comparison, or for a suite if paths are given. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { comparisonQuery, suiteQuery } from '../../api/compare';
import { shellQuote } from '../../ui/copy';
import { Choices, WorkForm } from '../../ui/form';
import { Page } from '../../ui/page';
import { Loaded } from '../../ui/states';
import {
  type CompareForm,
  commandOf,
  emptyForm,
  formOf,
  presetsWith,
  readForm,
  sharedFields,
} from './compare-form';
import { SideFields } from './side-fields';

export function NewComparisonPage() {
  const { from, suite, ...given } = useSearch({ from: '/shell/compare/new' });
  const earlier = useQuery({ ...comparisonQuery(from ?? ''), enabled: from !== undefined });
  const earlierSuite = useQuery({ ...suiteQuery(suite ?? '', false), enabled: suite !== undefined });
  return (
    <Page title="New comparison" lead="What differs on the candidate is judged against the reference.">
      {from !== undefined ? (
        <Loaded query={earlier} what="the earlier comparison">
          {(run) => <Form first={formOf(run)} erased={run.options.erased ?? []} />}
        </Loaded>
      ) : suite !== undefined ? (
        <Loaded query={earlierSuite} what="the earlier suite">
          {({ rows, ...run }) => (
            <Form
              first={formOf({ ...run, paths: rows.map(({ path }) => path) })}
              erased={run.options.erased ?? []}
            />
          )}
        </Loaded>
      ) : (
        <Form first={emptyForm(given)} erased={[]} />
      )}
    </Page>
  );
}

const CANDIDATES = [
  ['left', 'The first URL'],
  ['right', 'The second URL'],
] as const;

function Form({ first, erased }: { first: CompareForm; erased: readonly string[] }) {
  const [form, setForm] = useState(first);
  const change = (part: Partial<CompareForm>) => setForm((old) => ({ ...old, ...part }));
  const start = useStart(form);
  const { paths } = readForm(form);
  const titles = form.candidate === 'left' ? ['Candidate', 'Reference'] : ['Reference', 'Candidate'];
  return (
    <WorkForm
      start={start}
      action={paths.length > 1 ? `Compare ${paths.length} paths` : 'Compare'}
      command={() => commandOf(form).map(shellQuote).join(' ')}
    >
      {erased.length > 0 ? (
        <p className="note" role="note">
          Credentials were erased when the earlier run ended. Fill in {erased.map(fieldName).join(', ')}{' '}
          again.
        </p>
      ) : null}
      <div className="sides">
        <SideFields side="left" title={titles[0] ?? ''} form={form} change={change} />
        <SideFields side="right" title={titles[1] ?? ''} form={form} change={change} />
      </div>
      <label>
        <span>
          Paths, one per line <span className="optional">optional; several make a suite</span>
        </span>
        <textarea
          className="wire"
          rows={4}
          placeholder={'/\n/api/products'}
          value={form.paths}
          onChange={(event) => change({ paths: event.target.value })}
        />
      </label>
      <Choices
        legend="How thorough"
        name="preset"
        of={presetsWith(form.samples)}
        chosen={form.samples}
        choose={(samples) => change({ samples })}
      />
      <Choices
        legend="Which side is about to ship"
        name="candidate"
        of={CANDIDATES}
        chosen={form.candidate}
        choose={(candidate) => change({ candidate })}
      />
      <label>
        <span>
          Ignore, one rule per line <span className="optional">optional; a finding code, or code:key</span>
        </span>
        <textarea
          className="wire"
          rows={2}
          placeholder="COOKIE_SET_DRIFT:theme"
          value={form.ignore}
          onChange={(event) => change({ ignore: event.target.value })}
        />
      </label>
    </WorkForm>
  );
}

/** As the form calls it: `leftHeaders.authorization` is a header of the first URL. */
function fieldName(field: string): string {
  const [name = '', header] = field.split('.', 2);
  const side = name.startsWith('left') ? 'the first URL' : 'the second URL';
  return header === undefined ? side : `the header ${header} of ${side}`;
}

function useStart(form: CompareForm) {
  const navigate = useNavigate();
  return useMutation({
    async mutationFn() {
      const { left, right, paths } = readForm(form);
      const shared = sharedFields(form);
      if (paths.length > 1) {
        const body = { ...shared, leftUrl: left, rightUrl: right, paths: [...paths] };
        const { suiteId } = await unwrap(api.POST('/api/suites', { body }));
        return navigate({ to: '/suites/$id', params: { id: suiteId } });
      }
      const [path] = paths;
      const at = (base: string) => (path === undefined ? base : new URL(path, base).href);
      const body = { ...shared, leftUrl: at(left), rightUrl: at(right) };
      const { comparisonId } = await unwrap(api.POST('/api/compare', { body }));
      return navigate({ to: '/compare/$id', params: { id: comparisonId } });
    },
  });
}
