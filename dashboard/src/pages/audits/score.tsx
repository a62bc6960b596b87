/** Scores: a number that is also drawn, and never shown by colour alone. */
import type { Tone } from '../../ui/mark';

export function toneOfScore(score: number): Tone {
  if (score >= 90) return 'pass';
  return score >= 60 ? 'warn' : 'critical';
}

export function ScoreBadge({ score }: { score: number | null }) {
  if (score === null) return <span className="muted small">no score</span>;
  return (
    <span className="small muted">
      score <span className={`score is-${toneOfScore(score)}`}>{Math.round(score)}</span>
    </span>
  );
}

const RADIUS = 44;
const AROUND = 2 * Math.PI * RADIUS;

export function ScoreDial({ score, grade }: { score: number | null; grade: string | null }) {
  if (score === null) return <p className="muted">Not measured</p>;
  return (
    <svg
      className={`dial is-${toneOfScore(score)}`}
      viewBox="0 0 104 104"
      role="img"
      aria-label={`Score ${score} of 100, grade ${grade}`}
    >
      <circle cx="52" cy="52" r={RADIUS} className="dial-track" />
      <circle
        cx="52"
        cy="52"
        r={RADIUS}
        className="dial-arc"
        strokeDasharray={`${(score / 100) * AROUND} ${AROUND}`}
        transform="rotate(-90 52 52)"
      />
      <text x="52" y="54" textAnchor="middle" className="dial-score">
        {Math.round(score)}
      </text>
      <text x="52" y="72" textAnchor="middle" className="dial-grade">
        grade {grade}
      </text>
    </svg>
  );
}
