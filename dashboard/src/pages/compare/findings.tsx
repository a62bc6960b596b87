/** The findings of a comparison: a filtered list next to the detail of one. The URL holds filter and selection. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Comparison, EnvDiff, Finding } from '../../api/types';
import { withParam } from '../../search';
import { Chip, SearchField } from '../../ui/filters';
import { Shape, toneOf, wordOf } from '../../ui/mark';
import { useShortcuts } from '../../ui/shortcuts';
import { Empty } from '../../ui/states';
import { count } from '../../ui/time';
import { VirtualList } from '../../ui/virtual-list';
import { AcceptAll } from './accept';
import { FindingDetail } from './finding-detail';
import { countsOf, type FindingFilter, type ListItem, listItems } from './finding-filter';

interface FindingsProps {
  readonly comparison: Comparison;
  readonly diff: EnvDiff;
}

export function Findings({ comparison, diff }: FindingsProps) {
  const search = useSearch({ from: '/shell/compare/$id' });
  const navigate = useNavigate({ from: '/compare/$id' });
  const items = useMemo(() => listItems(diff.findings, search), [diff.findings, search]);
  const shown = items.flatMap((item) => (item.kind === 'finding' ? item.finding : []));
  const selected = shown.find(({ id }) => id === search.finding) ?? shown[0];
  const select = (finding: Finding | undefined) => {
    if (finding)
      void navigate({ search: withParam('finding', finding.id), replace: true, resetScroll: false });
  };
  const step = (by: number) => select(shown[shown.findIndex(({ id }) => id === selected?.id) + by]);
  useShortcuts({ j: () => step(1), k: () => step(-1) });
  if (diff.findings.length === 0) {
    return (
      <Empty title="No differences found">Everything that was compared is the same on both sides.</Empty>
    );
  }
  return (
    <>
      <div className="filter-line">
        <FilterBar filter={search} findings={diff.findings} />
        <AcceptAll comparison={comparison} findings={shown} />
      </div>
      <div className="split">
        <FindingList items={items} selected={selected} select={select} />
        {selected ? (
          <FindingDetail key={selected.id} comparison={comparison} diff={diff} finding={selected} />
        ) : (
          <Empty title="Nothing matches the filter" />
        )}
      </div>
    </>
  );
}

function FilterBar({ filter, findings }: { filter: FindingFilter; findings: readonly Finding[] }) {
  const navigate = useNavigate({ from: '/compare/$id' });
  const counts = countsOf(findings);
  const set = (name: keyof FindingFilter, value: string | undefined) =>
    void navigate({ search: withParam(name, value), replace: true, resetScroll: false });
  const toggle = (name: keyof FindingFilter, value: string) => () =>
    set(name, filter[name] === value ? undefined : value);
  return (
    <div className="filters">
      <SearchField
        label="Filter: word, -word, code:NAME"
        value={filter.q ?? ''}
        onChange={(q) => set('q', q)}
      />
      {(['critical', 'warn', 'info'] as const).map((severity) => (
        <Chip key={severity} on={filter.sev === severity} toggle={toggle('sev', severity)}>
          <Shape tone={toneOf(severity)} />
          {wordOf(severity)}
        </Chip>
      ))}
      {counts.effect > 0 ? (
        <Chip on={filter.effects === '1'} toggle={toggle('effects', '1')}>
          {count(counts.effect, 'effect')}
        </Chip>
      ) : null}
      {counts.noise > 0 ? (
        <Chip on={filter.noise === '1'} toggle={toggle('noise', '1')}>
          {counts.noise} noisy
        </Chip>
      ) : null}
      {counts.accepted > 0 ? (
        <Chip on={filter.accepted === '1'} toggle={toggle('accepted', '1')}>
          {counts.accepted} accepted
        </Chip>
      ) : null}
    </div>
  );
}

interface FindingListProps {
  readonly items: readonly ListItem[];
  readonly selected: Finding | undefined;
  readonly select: (finding: Finding) => void;
}

function FindingList({ items, selected, select }: FindingListProps) {
  const active = items.findIndex((item) => item.kind === 'finding' && item.finding.id === selected?.id);
  return (
    <VirtualList
      items={items}
      label="Findings"
      className="finding-list"
      rowPx={52}
      active={active}
      keyOf={(item) => (item.kind === 'head' ? item.title : `${item.finding.id}${item.effect}`)}
      row={(item) =>
        item.kind === 'head' ? (
          <h3 className="group-head">
            {item.title} <span className="muted">{item.count}</span>
          </h3>
        ) : (
          <button
            type="button"
            className={`finding-row${item.effect ? ' is-effect' : ''}`}
            aria-current={item.finding.id === selected?.id}
            onClick={() => select(item.finding)}
          >
            <Shape tone={toneOf(item.finding.severity)} />
            <span className="finding-text">
              <span className="finding-code">{item.finding.code}</span>
              <span>{item.finding.message}</span>
            </span>
          </button>
        )
      }
    />
  );
}
