/** The recent runs of a pair as bars, oldest first; each is a link to its run. */
import { Link } from '@tanstack/react-router';
import type { ComparisonSummary } from '../../api/types';
import { toneOf } from '../../ui/mark';
import { count, exactTime } from '../../ui/time';

export function HistoryStrip({ comparisons }: { comparisons: readonly ComparisonSummary[] }) {
  return (
    <span className="strip">
      {[...comparisons].reverse().map(({ comparisonId, createdAt, status, verdict, findings }) => {
        const word = verdict ?? status;
        const found = findings === null ? '' : `, ${count(findings, 'finding')}`;
        const label = `${word}${found}, ${exactTime(createdAt)}`;
        return (
          <Link
            key={comparisonId}
            to="/compare/$id"
            params={{ id: comparisonId }}
            className={`strip-bar is-${toneOf(word)}`}
            data-verdict={word}
            aria-label={label}
            title={label}
          />
        );
      })}
    </span>
  );
}
