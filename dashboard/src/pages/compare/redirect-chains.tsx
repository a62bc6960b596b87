/** Where each side led, hop by hop. */
import type { EnvDiff } from '../../api/types';

type Redirects = NonNullable<EnvDiff['redirects']>;

export function RedirectChains({ redirects, labels }: { redirects: Redirects; labels: EnvDiff['labels'] }) {
  return (
    <section>
      <h3>Redirects</h3>
      <div className="sides">
        <Chain label={labels.left} hops={redirects.left} />
        <Chain label={labels.right} hops={redirects.right} />
      </div>
    </section>
  );
}

function Chain({ label, hops }: { label: string; hops: Redirects['left'] }) {
  const first = hops[0];
  return (
    <figure>
      <figcaption>{label}</figcaption>
      {first === undefined ? (
        <p className="block absent">no redirect</p>
      ) : (
        <ol className="chain">
          <li className="wire">{first.fromUrl}</li>
          {hops.map(({ toUrl, status }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a chain may visit the same URL twice
            <li key={at} className="wire">
              <span className="hop">{status}</span> {toUrl}
            </li>
          ))}
        </ol>
      )}
    </figure>
  );
}
