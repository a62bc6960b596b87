/** Filters above a list: chips that toggle and a text field that keeps what is typed. */
import { type ReactNode, useEffect, useState } from 'react';

interface ChipProps {
  readonly on: boolean;
  readonly toggle: () => void;
  readonly children: ReactNode;
}

export function Chip({ on, toggle, children }: ChipProps) {
  return (
    <button type="button" className="chip" aria-pressed={on} onClick={toggle}>
      {children}
    </button>
  );
}

interface SearchFieldProps {
  readonly value: string;
  readonly label: string;
  readonly onChange: (value: string) => void;
}

const SETTLE_MS = 200;

export function SearchField({ value, label, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <input
      type="search"
      className="search"
      data-filter
      placeholder={label}
      aria-label={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly current: Name;
  readonly names: readonly (readonly [Name, string])[];
  readonly select: (name: Name) => void;
}

/** Views of one thing. Buttons instead of an ARIA tab list, because each view has its own URL. */
export function Tabs<Name extends string>({ label, current, names, select }: TabsProps<Name>) {
  return (
    <fieldset className="tabs">
      <legend className="unseen">{label}</legend>
      {names.map(([name, text]) => (
        <button type="button" key={name} aria-pressed={name === current} onClick={() => select(name)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
