/** Loading, empty, failed, forbidden: what would be here, why it is not, and the one action that helps. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, OfflineError } from '../api/client';
import { Shape } from './mark';

export function Loading({ what }: { what: string }) {
  return (
    <div className="blank" role="status">
      <p className="blank-title waiting">
        <Shape tone="info" />
        Loading {what}
      </p>
    </div>
  );
}

interface BlankProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ title, children, action }: BlankProps) {
  return (
    <div className="blank">
      <p className="blank-title">{title}</p>
      {children === undefined ? null : <div className="blank-text">{children}</div>}
      {action === undefined ? null : <div className="blank-action">{action}</div>}
    </div>
  );
}

/** Offers a retry button only if another attempt may succeed. */
export function Failed({ error, what, retry }: { error: unknown; what: string; retry?: () => void }) {
  if (error instanceof ApiError && error.status === 403) return <Forbidden what={what} error={error} />;
  const offline = error instanceof OfflineError;
  const missing = error instanceof ApiError && error.status === 404;
  return (
    <div className="blank" role="alert">
      <p className="blank-title">
        <Shape tone={missing ? 'muted' : offline ? 'warn' : 'critical'} />
        {missing ? `Could not find ${what}` : `Could not load ${what}`}
      </p>
      <p className="blank-text">
        {missing ? 'It may have been deleted, or the address is incomplete.' : textOf(error)}
      </p>
      {missing ? (
        <div className="blank-action">
          <a className="button" href="/ui">
            Go to the home page
          </a>
        </div>
      ) : null}
      {retry && !missing ? (
        <div className="blank-action">
          <button type="button" className="button" onClick={retry}>
            Try again
          </button>
        </div>
      ) : null}
    </div>
  );
}

function Forbidden({ what, error }: { what: string; error: ApiError }) {
  const scope = typeof error.details['scope'] === 'string' ? error.details['scope'] : undefined;
  return (
    <div className="blank">
      <p className="blank-title">
        <Shape tone="muted" />
        Your credential does not include {what}
      </p>
      <p className="blank-text">
        {scope ? (
          <>
            It lacks the scope <code>{scope}</code>. Ask the operator for a token with that scope.
          </>
        ) : (
          error.message
        )}
      </p>
    </div>
  );
}

interface NoMatchProps {
  /** A singular noun. */
  readonly what: string;
  readonly more: boolean;
  /** The page without the filter. */
  readonly to: '/compare' | '/audits' | '/streams';
}

/** Nothing among the rows that were read matches. While there are older rows, that is not the last word. */
export function NoMatch({ what, more, to }: NoMatchProps) {
  const clear = (
    <Link to={to} className="button">
      Clear the filter
    </Link>
  );
  return (
    <Empty title={more ? `No ${what} matches so far` : `No ${what} matches the filter`} action={clear}>
      {more ? 'Older entries have not been searched yet.' : null}
    </Empty>
  );
}

interface Pages {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  fetchNextPage(): unknown;
}

/** The button below a list that has older entries. */
export function LoadMore({ query, what }: { query: Pages; what: string }) {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const loaded = data?.pages.length ?? 0;
  const [wanted, setWanted] = useState(0);
  const isLoading = wanted > loaded && hasNextPage && !isError;
  // A change that arrives meanwhile reloads the list and cancels the request for the next page, which is then repeated.
  useEffect(() => {
    if (isLoading && !isFetching) void fetchNextPage();
  }, [isLoading, isFetching, fetchNextPage]);
  if (!hasNextPage) return null;
  const more = () => {
    setWanted(loaded + 1);
    // Also after an error, which the effect does not repeat.
    void fetchNextPage();
  };
  return (
    <button type="button" className="button" disabled={isLoading} onClick={more}>
      Load older {what}
    </button>
  );
}

export function textOf(error: unknown): string {
  if (error instanceof OfflineError)
    return 'The server did not respond. This page tries again automatically.';
  return error instanceof Error ? error.message : String(error);
}

interface QueryLike<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

/** Shows the states of a query around its content. Loaded data stays while a refetch fails. */
export function Loaded<T>({
  query,
  what,
  children,
}: {
  query: QueryLike<T>;
  what: string;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Failed error={query.error} what={what} retry={() => void query.refetch()} />;
  return <Loading what={what} />;
}
