/** What the form of a comparison holds, and how it becomes a request. */
import type { CompareRequest } from '../../api/types';

export interface HeaderField {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

export interface CompareForm {
  readonly leftUrl: string;
  readonly rightUrl: string;
  readonly leftLabel: string;
  readonly rightLabel: string;
  readonly leftHeaders: readonly HeaderField[];
  readonly rightHeaders: readonly HeaderField[];
  readonly paths: string;
  readonly samples: number;
}

export const PRESETS = {
  quick: { text: 'Quick: one sample per side', samples: 1 },
  steady: { text: 'Steady: 3 samples, to tell noise apart', samples: 3 },
  timing: { text: 'Timing: 7 samples, to compare speed as well', samples: 7 },
} as const;

interface Given {
  readonly left?: string;
  readonly right?: string;
  readonly leftLabel?: string;
  readonly rightLabel?: string;
  readonly paths?: string;
}

export function emptyForm({
  left = '',
  right = '',
  leftLabel = '',
  rightLabel = '',
  paths = '',
}: Given): CompareForm {
  return {
    leftUrl: left,
    rightUrl: right,
    leftLabel,
    rightLabel,
    leftHeaders: [],
    rightHeaders: [],
    paths,
    samples: PRESETS.steady.samples,
  };
}

export function readForm({ leftUrl, rightUrl, paths }: CompareForm) {
  const list = paths
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { left: withScheme(leftUrl), right: withScheme(rightUrl), paths: list };
}

/** What people type in an address bar. */
function withScheme(url: string): string {
  const text = url.trim();
  return text === '' || /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
}

type Shared = Omit<CompareRequest, 'leftUrl' | 'rightUrl' | 'explain'>;

export function sharedFields({
  leftLabel,
  rightLabel,
  leftHeaders,
  rightHeaders,
  samples,
}: CompareForm): Shared {
  return {
    samples,
    ...(leftLabel.trim() !== '' && { leftLabel: leftLabel.trim() }),
    ...(rightLabel.trim() !== '' && { rightLabel: rightLabel.trim() }),
    ...(leftHeaders.length > 0 && { leftHeaders: headersOf(leftHeaders) }),
    ...(rightHeaders.length > 0 && { rightHeaders: headersOf(rightHeaders) }),
  };
}

function headersOf(fields: readonly HeaderField[]): Record<string, string> {
  return Object.fromEntries(
    fields.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  );
}
