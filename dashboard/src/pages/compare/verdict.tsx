/**
 * The verdict and its reasons, then what was compared, then the explanation, which is an interpretation and not a fact.
 */
import type { Comparison, EnvDiff, Explanation } from '../../api/types';
import { Shape, toneOf } from '../../ui/mark';
import { count } from '../../ui/time';

/** The words for each verdict. */
export const VERDICTS = {
  pass: 'No difference that matters',
  warn: 'Differences worth checking',
  fail: 'The candidate is worse',
  inconclusive: 'Not enough data for a verdict',
} as const;

export function Verdict({ comparison, diff }: { comparison: Comparison; diff: EnvDiff }) {
  return (
    <section className={`panel verdict is-edge-${toneOf(diff.verdict)}`} aria-label="Verdict">
      <p className="verdict-line">
        <Shape tone={toneOf(diff.verdict)} />
        {VERDICTS[diff.verdict]}
        <span className="verdict-code">{diff.verdict}</span>
      </p>
      <ul className="reasons">
        {diff.verdictReasons.map((reason) => (
          <li key={reason}>
            <Reason text={reason} />
          </li>
        ))}
      </ul>
      <Coverage diff={diff} />
      <ExplanationNote comparison={comparison} />
    </section>
  );
}

/** Most reasons start with the code of a finding. */
function Reason({ text }: { text: string }) {
  const [, code, message] = /^([A-Z][A-Z_]+): (.*)$/s.exec(text) ?? [];
  return code === undefined ? (
    text
  ) : (
    <>
      {message} <span className="finding-code">{code}</span>
    </>
  );
}

function Coverage({ diff }: { diff: EnvDiff }) {
  const { compared, notCompared } = diff.coverage;
  const { left, right } = diff.samples;
  return (
    <details className="fold">
      <summary>
        Compared {count(compared.length, 'part')}
        {notCompared.length > 0 ? ` of ${compared.length + notCompared.length}` : ''},{' '}
        {samplesText(left.answered, right.answered)}
      </summary>
      <p className="small">{compared.join(', ')}</p>
      {notCompared.length > 0 ? (
        <ul className="small">
          {notCompared.map(({ part, reason }) => (
            <li key={part}>
              <span className="wire">{part}</span>: {reason}
            </li>
          ))}
        </ul>
      ) : null}
      {diff.notices.length > 0 ? (
        <ul className="small">
          {diff.notices.map(({ code, message }) => (
            <li key={`${code} ${message}`}>{message}</li>
          ))}
        </ul>
      ) : null}
    </details>
  );
}

function samplesText(left: number, right: number): string {
  return left === right ? `${count(left, 'sample')} per side` : `${left} and ${right} samples`;
}

function ExplanationNote({ comparison }: { comparison: Comparison }) {
  const { explanationState: state, result } = comparison;
  if (state === 'pending') return <p className="small muted">An explanation is being written.</p>;
  const explanation = result?.explanation;
  return explanation ? <ExplanationText explanation={explanation} /> : null;
}

function ExplanationText({ explanation }: { explanation: Explanation }) {
  return (
    <details className="fold explanation">
      <summary>Explanation: an interpretation of the findings, not a measurement</summary>
      <p>{explanation.summary}</p>
      {explanation.error ? (
        <p className="small muted">
          The model gave no explanation, so this one was computed: {explanation.error.message}
        </p>
      ) : null}
      {explanation.ranked_causes.length > 0 ? (
        <ol>
          {explanation.ranked_causes.map(({ cause, confidence }) => (
            <li key={cause}>
              {cause} <span className="muted">({Math.round(confidence * 100)} % confident)</span>
            </li>
          ))}
        </ol>
      ) : null}
      {explanation.actions.map(({ action, why }) => (
        <p key={action}>
          <strong>{action}</strong> {why}
        </p>
      ))}
    </details>
  );
}
