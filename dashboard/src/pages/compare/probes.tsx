/** What was observed: the timing of every sample, and both stored envelopes. */
import { useQuery } from '@tanstack/react-query';
import { probesQuery } from '../../api/compare';
import type { Comparison, ComparisonProbe, EnvDiff } from '../../api/types';
import { JsonView } from '../../ui/json-view';
import { Panel } from '../../ui/page';
import { Empty, Loaded } from '../../ui/states';
import { duration } from '../../ui/time';
import { RedirectChains } from './redirect-chains';

export function Probes({ comparisonId, diff }: { comparisonId: string; diff: EnvDiff }) {
  const query = useQuery(probesQuery(comparisonId));
  return (
    <Loaded query={query} what="the probes">
      {({ probes }) =>
        probes.length === 0 ? (
          <Empty title="No probes were stored" />
        ) : (
          <>
            <Timing probes={probes} labels={diff.labels} />
            {diff.redirects ? <RedirectChains redirects={diff.redirects} labels={diff.labels} /> : null}
            <div className="sides">
              {(['left', 'right'] as const).map((side) => (
                <Panel key={side} title={diff.labels[side]}>
                  <JsonView value={probes.find((probe) => probe.side === side)?.envelope ?? null} />
                </Panel>
              ))}
            </div>
          </>
        )
      }
    </Loaded>
  );
}

/** Room for half a dot at both ends, in percent of the width. */
const PAD = 2;

/** Every sample of each side as a point on one scale. */
function Timing({ probes, labels }: { probes: readonly ComparisonProbe[]; labels: EnvDiff['labels'] }) {
  const of = (side: 'left' | 'right') =>
    probes
      .filter((probe) => probe.side === side)
      .flatMap(({ envelope, samples }) => [envelope, ...samples.map((sample) => sample.envelope)])
      .flatMap(({ result }) => ('durationMs' in result ? result.durationMs : []));
  const sides = { left: of('left'), right: of('right') };
  const most = Math.max(1, ...sides.left, ...sides.right);
  const at = (ms: number) => `${PAD + (ms / most) * (100 - 2 * PAD)}%`;
  return (
    <Panel title="Time to the response headers">
      <div className="timing">
        {(['left', 'right'] as const).map((side) => (
          <div key={side} className="timing-row">
            <span>{labels[side]}</span>
            <svg role="img" aria-label={`${labels[side]}: ${sides[side].map(duration).join(', ')}`}>
              <line x1="0" x2="100%" y1="12" y2="12" className="axis" />
              {sides[side].map((ms, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: samples may be equal
                <circle key={index} cx={at(ms)} cy="12" r="5" className="dot" />
              ))}
            </svg>
            <span className="wire">{sides[side].length === 0 ? 'none' : duration(median(sides[side]))}</span>
          </div>
        ))}
        <p className="small muted">
          Each point is a sample, from 0 to {duration(most)}. On the right: the median.
        </p>
      </div>
    </Panel>
  );
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function RawComparison({ comparison }: { comparison: Comparison }) {
  return (
    <Panel title="The result as returned by the API">
      <JsonView value={comparison.result ?? null} />
    </Panel>
  );
}
