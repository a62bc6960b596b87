/** The fields of the comparison form, and how they become a request. */
import type { CompareRequest } from '../../api/types';
import { withScheme } from '../../ui/form';

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

/** Samples per side. */
export const PRESETS: readonly (readonly [number, string])[] = [
  [1, 'Quick: 1 sample per side'],
  [3, 'Steady: 3 samples, to tell noise apart'],
  [7, 'Timing: 7 samples, to compare speed as well'],
];
const SAMPLES_DEFAULT = 3;

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
    samples: SAMPLES_DEFAULT,
  };
}

export function readForm({ leftUrl, rightUrl, paths }: CompareForm) {
  const list = paths
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return { left: withScheme(leftUrl), right: withScheme(rightUrl), paths: list };
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
