/** A running comparison: its steps as they happen. */
import { isForPeople, useJobEvents } from '../../live/use-job-events';
import { Shape, wordOf } from '../../ui/mark';

export function CompareProgress({ comparisonId }: { comparisonId: string }) {
  const events = useJobEvents(`/api/compare/${comparisonId}`);
  const progress = events.reduce((most, event) => Math.max(most, event.progress ?? 0), 0);
  return (
    <section className="panel progress-panel" aria-label="Progress">
      <p className="verdict-line">
        <Shape tone="info" /> Comparing
      </p>
      <progress max={100} value={progress} aria-label="Progress of the comparison" />
      <ol className="steps">
        {events.filter(isForPeople).map(({ seq, type, message }) => (
          <li key={seq}>{type === 'status_changed' ? wordOf(message ?? '') : message}</li>
        ))}
      </ol>
      {events.length === 0 ? <p className="muted">Waiting for a worker to start it.</p> : null}
    </section>
  );
}
