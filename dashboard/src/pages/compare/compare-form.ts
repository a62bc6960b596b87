/** The fields of the comparison form, and how they become a request. */
import type { CompareOptions, CompareRequest } from '../../api/types';
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
  readonly candidate: 'left' | 'right';
  /** One rule per line. */
  readonly ignore: string;
  /** Options of the earlier run that the form does not show; they are sent unchanged. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** Samples per side. */
export const PRESETS: readonly (readonly [number, string])[] = [
  [1, 'Quick: 1 sample per side'],
  [3, 'Steady: 3 samples, to tell noise apart'],
  [7, 'Timing: 7 samples, to compare speed as well'],
];
const SAMPLES_DEFAULT = 3;

/** The presets, and the number of an earlier run if it is none of them. */
export function presetsWith(samples: number): typeof PRESETS {
  if (PRESETS.some(([preset]) => preset === samples)) return PRESETS;
  return [...PRESETS, [samples, `As before: ${samples} samples per side`]];
}

interface Given {
  readonly left?: string;
  readonly right?: string;
}

export function emptyForm({ left = '', right = '' }: Given): CompareForm {
  return {
    leftUrl: left,
    rightUrl: right,
    leftLabel: '',
    rightLabel: '',
    leftHeaders: [],
    rightHeaders: [],
    paths: '',
    samples: SAMPLES_DEFAULT,
    candidate: 'left',
    ignore: '',
    others: {},
  };
}

/** An earlier comparison, or a suite with its paths. */
export interface EarlierRun {
  readonly leftUrl: string;
  readonly rightUrl: string;
  readonly options: CompareOptions;
  readonly paths?: readonly string[];
}

/** The form with everything that the earlier run had, except what was erased: those fields are empty. */
export function formOf({ leftUrl, rightUrl, options, paths = [] }: EarlierRun): CompareForm {
  const { samples = SAMPLES_DEFAULT, candidate = 'left', ignore = [], erased = [], ...rest } = options;
  const {
    leftLabel = '',
    rightLabel = '',
    ...others
  } = rest as Readonly<Record<string, unknown>> & {
    readonly leftLabel?: string;
    readonly rightLabel?: string;
  };
  const headersOf = (side: string) =>
    erased.flatMap((field, key) =>
      field.startsWith(`${side}Headers.`)
        ? [{ key, name: field.slice(`${side}Headers.`.length), value: '' }]
        : [],
    );
  return {
    leftUrl: erased.includes('leftUrl') ? '' : leftUrl,
    rightUrl: erased.includes('rightUrl') ? '' : rightUrl,
    leftLabel,
    rightLabel,
    leftHeaders: headersOf('left'),
    rightHeaders: headersOf('right'),
    paths: paths.join('\n'),
    samples,
    candidate,
    ignore: ignore.join('\n'),
    others,
  };
}

export function readForm({ leftUrl, rightUrl, paths }: CompareForm) {
  return { left: withScheme(leftUrl), right: withScheme(rightUrl), paths: linesOf(paths) };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

type Shared = Omit<CompareRequest, 'leftUrl' | 'rightUrl'>;

export function sharedFields({
  leftLabel,
  rightLabel,
  leftHeaders,
  rightHeaders,
  samples,
  candidate,
  ignore,
  others,
}: CompareForm): Shared {
  const rules = linesOf(ignore);
  return {
    ...others,
    samples,
    candidate,
    ...(rules.length > 0 && { ignore: rules }),
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

/** The same work as a command; header values are placeholders, so that no secret reaches the clipboard. */
export function commandOf(form: CompareForm): readonly string[] {
  const { left, right, paths } = readForm(form);
  const { samples, candidate, ignore, leftLabel, rightLabel, leftHeaders, rightHeaders } = form;
  const headers = (option: string, fields: readonly HeaderField[]) =>
    fields.flatMap(({ name }) => (name.trim() === '' ? [] : [option, `${name.trim()}: …`]));
  return [
    ...['sonde', 'compare', left, right, '--samples', String(samples)],
    ...(candidate === 'right' ? ['--candidate', 'right'] : []),
    ...linesOf(ignore).flatMap((rule) => ['--ignore', rule]),
    ...(leftLabel.trim() === '' ? [] : ['--label-left', leftLabel.trim()]),
    ...(rightLabel.trim() === '' ? [] : ['--label-right', rightLabel.trim()]),
    ...headers('--header-left', leftHeaders),
    ...headers('--header-right', rightHeaders),
    ...(paths.length > 0 ? ['--paths', 'paths.txt'] : []),
  ];
}
