/** The parts of a comparison that all engines share: sealing the request of a side and probing a side. */
import { SondeError } from '../errors.js';
import { type ISignalProvider, SPACING_REQUEST } from '../probe/index.js';
import type { CompareDeps, SideRequest } from './compare-environments.js';

/** Encrypts small texts with a key of the server. */
export interface SideBox {
  seal(text: string, owner: string): Promise<string>;
  /** Resolves to undefined if the text was sealed with another key. */
  open(sealed: string, owner: string): Promise<string | undefined>;
}

export interface CompareComposition extends Omit<CompareDeps, 'openSide' | 'probe'> {
  readonly box: SideBox;
  readonly provider: ISignalProvider;
}

/** The purpose from which the key of the box is derived. */
export const SIDE_PURPOSE = 'sonde comparison side';
/** The owner to which a seal is bound. */
const OWNER = 'comparison side';

export function createCompareDeps({ box, provider, ...rest }: CompareComposition): CompareDeps {
  return {
    ...rest,
    async openSide(sealed) {
      const text = await box.open(new TextDecoder().decode(sealed), OWNER);
      // Another process of the cluster may have the key, so the job is retried; the last attempt reports the problem.
      if (text === undefined) {
        throw new SondeError(
          'INTERNAL',
          'the stored request of a side was encrypted with another key; every process of a cluster needs the same SONDE_SEALING_SECRET',
        );
      }
      return JSON.parse(text) as SideRequest;
    },
    probe: ({ url, headers }, { profile, sample, signal, spacing }) =>
      spacing
        ? provider.probe(url, { ...SPACING_REQUEST, headers, signal })
        : provider.probe(url, { profile, headers, signal, exchanges: sample === 1 }),
  };
}

export async function sealSide(box: SideBox, request: SideRequest): Promise<Uint8Array> {
  return new TextEncoder().encode(await box.seal(JSON.stringify(request), OWNER));
}
