/** One finding: what it is, both values with the changed part marked, the evidence, and what to do. */
import type { Comparison, EnvDiff, Finding } from '../../api/types';
import { CopyButton, shellQuote } from '../../ui/copy';
import { Status } from '../../ui/mark';
import { Accept } from './accept';
import { RedirectChains } from './redirect-chains';
import { SideValues, textOfValue } from './side-values';

interface FindingDetailProps {
  readonly comparison: Comparison;
  readonly diff: EnvDiff;
  readonly finding: Finding;
}

function directionText({ direction }: Finding, { left, right }: EnvDiff['labels']): string {
  switch (direction) {
    case 'left_only':
      return `only on ${left}`;
    case 'right_only':
      return `only on ${right}`;
    case 'left_weaker':
      return `weaker on ${left}`;
    case 'right_weaker':
      return `weaker on ${right}`;
    default:
      return 'differs';
  }
}

export function FindingDetail({ comparison, diff, finding }: FindingDetailProps) {
  const { left, right } = diff.labels;
  const isRedirect = finding.evidence.some(({ section }) => section === 'redirects');
  return (
    <article className="panel detail" aria-label="Finding">
      <header>
        <p className="detail-facts">
          <Status of={finding.severity} /> <span className="wire">{finding.code}</span>{' '}
          <span className="muted">
            {[directionText(finding, diff.labels), finding.effect, finding.stability].join(' · ')}
          </span>
        </p>
        <h2>{finding.message}</h2>
      </header>
      <SideValues left={finding.left_value} right={finding.right_value} labels={{ left, right }} />
      {isRedirect && diff.redirects ? (
        <RedirectChains redirects={diff.redirects} labels={diff.labels} />
      ) : null}
      <Excerpt finding={finding} />
      <EvidenceList finding={finding} labels={diff.labels} />
      {finding.recommendations.length > 0 ? (
        <section>
          <h3>What to do</h3>
          <ul>
            {finding.recommendations.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      ) : null}
      <div className="actions">
        <Accept comparison={comparison} finding={finding} />
        <CopyButton text={() => permalink(comparison, finding)}>Copy link</CopyButton>
        <CopyButton text={curlOf(comparison.leftUrl)}>{`Copy curl for ${left}`}</CopyButton>
        <CopyButton text={curlOf(comparison.rightUrl)}>{`Copy curl for ${right}`}</CopyButton>
      </div>
    </article>
  );
}

function permalink({ comparisonId }: Comparison, { id }: Finding): string {
  const url = new URL(`/ui/compare/${encodeURIComponent(comparisonId)}`, location.origin);
  url.searchParams.set('finding', id);
  return url.href;
}

/** Credentials were redacted before anything was stored, so the command contains none. */
function curlOf(url: string): string {
  return `curl -sS -D - -o /dev/null ${shellQuote(url)}`;
}

function Excerpt({ finding }: { finding: Finding }) {
  if (!finding.excerpt || finding.excerpt.length === 0) return null;
  return (
    <section>
      <h3>In the body</h3>
      <pre className="block diff-lines">
        {finding.excerpt.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text have no other name
          <div key={at}>
            {line.map(({ side, text }, part) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <span key={part} className={side ? `on-${side}` : undefined}>
                {text}
              </span>
            ))}
          </div>
        ))}
      </pre>
    </section>
  );
}

function EvidenceList({ finding, labels }: { finding: Finding; labels: EnvDiff['labels'] }) {
  // A single piece of evidence repeats the values above.
  if (finding.evidence.length < 2) return null;
  return (
    <details className="fold">
      <summary>Evidence: {finding.evidence.length} places</summary>
      <div className="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">{labels.left}</th>
              <th scope="col">{labels.right}</th>
            </tr>
          </thead>
          <tbody>
            {finding.evidence.map(({ section, keys, left, right, note }) => (
              <tr key={`${section} ${keys.join(' ')}`}>
                <td className="wire">
                  {section} {keys.join(', ')}
                  {note ? <div className="small muted">{note}</div> : null}
                </td>
                <td className="wire">{textOfValue(left)}</td>
                <td className="wire">{textOfValue(right)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
