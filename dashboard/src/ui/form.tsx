/** The frame of a form that starts work on the server: its fields, its errors, and its actions. */
import type { ReactNode } from 'react';
import { CopyButton } from './copy';
import { textOf } from './states';

interface WorkFormProps {
  readonly start: { readonly isPending: boolean; readonly error: unknown; mutate(): void };
  /** The label of the submit button. */
  readonly action: string;
  /** The same work as a command for the terminal. */
  readonly command: () => string;
  readonly children: ReactNode;
}

export function WorkForm({ start, action, command, children }: WorkFormProps) {
  return (
    <form
      className="form panel"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      {children}
      <p role="alert" className="fault">
        {start.error ? textOf(start.error) : null}
      </p>
      <div className="actions">
        <button type="submit" className="button primary" disabled={start.isPending}>
          {action}
        </button>
        <CopyButton text={command}>Copy as command</CopyButton>
      </div>
      <p className="small muted">
        Private addresses are blocked unless the server was started with{' '}
        <code>--allow-private http://127.0.0.1:PORT</code>.
      </p>
    </form>
  );
}

interface ChoicesProps<Value> {
  readonly legend: string;
  readonly name: string;
  readonly of: readonly (readonly [Value, string])[];
  readonly chosen: Value;
  readonly choose: (value: Value) => void;
}

export function Choices<Value>({ legend, name, of, chosen, choose }: ChoicesProps<Value>) {
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {of.map(([value, text]) => (
        <label key={text}>
          <input type="radio" name={name} checked={value === chosen} onChange={() => choose(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Turns what people type in an address bar into a URL. */
export function withScheme(url: string): string {
  const text = url.trim();
  return text === '' || /^[a-z]+:\/\//i.test(text) ? text : `https://${text}`;
}
