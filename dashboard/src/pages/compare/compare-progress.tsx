/** A running comparison: its steps as they happen. */
import { isForPeople, progressOf, useJobEvents } from '../../live/use-job-events';
import { eventText, Shape } from '../../ui/mark';

export function CompareProgress({ comparisonId }: { comparisonId: string }) {
  const events = useJobEvents(`/api/compare/${comparisonId}`);
  const progress = progressOf(events);
  return (
    <section className="panel progress-panel" aria-label="Progress">
      <p className="verdict-line">
        <Shape tone="info" /> Comparing
      </p>
      <progress max={100} value={progress} aria-label="Progress of the comparison" />
      <ol className="steps">
        {events.filter(isForPeople).map((event) => (
          <li key={event.seq}>{eventText(event)}</li>
        ))}
      </ol>
      {events.length === 0 ? <p className="muted">Waiting for a worker to start it.</p> : null}
    </section>
  );
}
