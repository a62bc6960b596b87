/** The frame of a page: its title, its actions and its content. Moves focus to the title on navigation. */
import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  readonly title: ReactNode;
  /** The window title, if `title` is not plain text. */
  readonly name?: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, name, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const text = name ?? (typeof title === 'string' ? title : 'Sonde');
  useEffect(() => {
    document.title = `${text} · Sonde`;
  }, [text]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead === undefined ? null : <p className="lead">{lead}</p>}
        </div>
        {actions === undefined ? null : <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Facts as names and values. */
export function Facts({ of }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
