/** The form for a new comparison, or for a suite if paths are given. */
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { shellQuote } from '../../ui/copy';
import { Choices, WorkForm } from '../../ui/form';
import { Page } from '../../ui/page';
import { type CompareForm, emptyForm, PRESETS, readForm, sharedFields } from './compare-form';
import { SideFields } from './side-fields';

export function NewComparisonPage() {
  const given = useSearch({ from: '/shell/compare/new' });
  const [form, setForm] = useState<CompareForm>(() => emptyForm(given));
  const change = (part: Partial<CompareForm>) => setForm((old) => ({ ...old, ...part }));
  const start = useStart(form);
  const { paths } = readForm(form);
  return (
    <Page title="New comparison" lead="What differs on the candidate is judged against the reference.">
      <WorkForm
        start={start}
        action={paths.length > 1 ? `Compare ${paths.length} paths` : 'Compare'}
        command={() => commandOf(form)}
      >
        <div className="sides">
          <SideFields side="left" title="Candidate" form={form} change={change} />
          <SideFields side="right" title="Reference" form={form} change={change} />
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
          of={PRESETS}
          chosen={form.samples}
          choose={(samples) => change({ samples })}
        />
      </WorkForm>
    </Page>
  );
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

function commandOf(form: CompareForm): string {
  const { left, right, paths } = readForm(form);
  const parts = ['sonde', 'compare', left, right, '--samples', String(form.samples)];
  if (paths.length > 0) parts.push('--paths', 'paths.txt');
  return parts.map(shellQuote).join(' ');
}
