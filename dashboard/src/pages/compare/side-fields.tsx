/** One side of the form: its URL, its name and its headers. */
import { useId } from 'react';
import type { CompareForm, HeaderField } from './compare-form';

interface SideFieldsProps {
  readonly side: 'left' | 'right';
  readonly title: string;
  readonly form: CompareForm;
  readonly change: (part: Partial<CompareForm>) => void;
}

export function SideFields({ side, title, form, change }: SideFieldsProps) {
  const id = useId();
  const headers = form[`${side}Headers`];
  const setHeaders = (next: readonly HeaderField[]) => change({ [`${side}Headers`]: next });
  const edit = (key: number, part: Partial<HeaderField>) =>
    setHeaders(headers.map((field) => (field.key === key ? { ...field, ...part } : field)));
  return (
    <fieldset className="panel side">
      <legend>{title}</legend>
      <label htmlFor={`${id}-url`}>{title} URL</label>
      <input
        id={`${id}-url`}
        className="wire"
        required
        inputMode="url"
        autoComplete="url"
        placeholder={side === 'left' ? 'https://staging.example.com' : 'https://example.com'}
        value={form[`${side}Url`]}
        onChange={(event) => change({ [`${side}Url`]: event.target.value })}
      />
      <label htmlFor={`${id}-label`}>Name in messages</label>
      <input
        id={`${id}-label`}
        placeholder={side === 'left' ? 'staging' : 'production'}
        value={form[`${side}Label`]}
        onChange={(event) => change({ [`${side}Label`]: event.target.value })}
      />
      {headers.map(({ key, name, value }) => (
        <div key={key} className="header-field">
          <input
            className="wire"
            aria-label={`${title} header name`}
            placeholder="Authorization"
            value={name}
            onChange={(event) => edit(key, { name: event.target.value })}
          />
          <input
            className="wire"
            aria-label={`${title} header value`}
            value={value}
            onChange={(event) => edit(key, { value: event.target.value })}
          />
          <button
            type="button"
            className="button quiet"
            aria-label={`Remove the header ${name}`}
            onClick={() => setHeaders(headers.filter((field) => field.key !== key))}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        className="button quiet"
        onClick={() => setHeaders([...headers, { key: Date.now() + headers.length, name: '', value: '' }])}
      >
        Add a header
      </button>
      <p className="small muted">Headers are encrypted while the comparison runs, then erased.</p>
    </fieldset>
  );
}
