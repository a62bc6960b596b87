/** Two values side by side, the left one always on the left, with the differing words marked. */
import { useEffect, useState } from 'react';
import type { EnvDiff, Finding } from '../../api/types';

type Value = Finding['left_value'];

export function textOfValue(value: Value): string {
  if (value === null) return 'absent';
  return Array.isArray(value) ? value.join('\n') : String(value);
}

interface Part {
  readonly text: string;
  readonly changed: boolean;
}

interface Sides {
  readonly left: readonly Part[];
  readonly right: readonly Part[];
}

/** Above this a word diff takes longer than a frame, so the values are shown whole. */
const DIFF_CHARS_MAX = 20_000;

interface SideValuesProps {
  readonly left: Value;
  readonly right: Value;
  readonly labels: EnvDiff['labels'];
}

export function SideValues({ left, right, labels }: SideValuesProps) {
  const sides = useMarked(left, right);
  return (
    <div className="sides values">
      <ValueBox label={labels.left} value={left} parts={sides.left} />
      <ValueBox label={labels.right} value={right} parts={sides.right} />
    </div>
  );
}

function ValueBox({ label, value, parts }: { label: string; value: Value; parts: readonly Part[] }) {
  return (
    <figure>
      <figcaption>{label}</figcaption>
      {value === null ? (
        <p className="block absent">absent</p>
      ) : (
        <pre className="block">
          {parts.map(({ text, changed }, at) =>
            changed ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
              <mark key={at}>{text}</mark>
            ) : (
              text
            ),
          )}
        </pre>
      )}
    </figure>
  );
}

function whole(value: Value): readonly Part[] {
  return [{ text: textOfValue(value), changed: false }];
}

function useMarked(left: Value, right: Value): Sides {
  const [sides, setSides] = useState<Sides>({ left: whole(left), right: whole(right) });
  useEffect(() => {
    if (left === null || right === null) return;
    const [a, b] = [textOfValue(left), textOfValue(right)];
    if (a.length + b.length > DIFF_CHARS_MAX) return;
    let current = true;
    void import('diff').then(({ diffWordsWithSpace }) => {
      if (!current) return;
      const changes = diffWordsWithSpace(a, b);
      const side = (skip: 'added' | 'removed'): Part[] =>
        changes
          .filter((change) => !change[skip])
          .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
      setSides({ left: side('added'), right: side('removed') });
    });
    return () => {
      current = false;
    };
  }, [left, right]);
  return sides;
}
