/**
 * The building blocks of stores that are written once for SQLite and PostgreSQL. Their methods are generators that
 * yield statements and receive rows, so SQLite can run them synchronously and PostgreSQL over a network. A statement
 * that an engine does not need, such as a lock on SQLite, has no text for that engine and is skipped.
 */
import { wrapMethods } from '../../port-methods.js';

export type SqlParam = string | number | null | Uint8Array;
export type PortableRow = Readonly<Record<string, unknown>>;

export interface PortableStatement {
  /** Unique among statements. */
  readonly name: string;
  /** For PostgreSQL. */
  readonly text?: string;
  readonly sqlite?: string;
  readonly returnsRows: boolean;
}

type SqlStep =
  | { readonly statement: PortableStatement; readonly params: readonly SqlParam[] }
  | { readonly work: (mayHaveCommitted: boolean) => SqlWork<unknown> };

export type SqlWork<T> = Generator<SqlStep, T, unknown>;

/** A port whose methods return their work instead of running it. */
export type WorkPort<Port> = {
  readonly [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => SqlWork<Result>
    : never;
};

/** The port that is left when the work of these methods is run. */
export type PortOf<Rows> = {
  readonly [Method in keyof Rows]: Rows[Method] extends (...args: infer Args) => SqlWork<infer Result>
    ? (...args: Args) => Promise<Result>
    : never;
};

/** Turns a `WorkPort` into the port itself: each call passes its work to `run`. */
export function runPort(port: object, run: (work: SqlWork<unknown>) => unknown): unknown {
  return wrapMethods(port, (call) => run(call() as SqlWork<unknown>));
}

export function* query(
  statement: PortableStatement,
  params: readonly SqlParam[],
): SqlWork<readonly PortableRow[]> {
  return (yield { statement, params }) as readonly PortableRow[];
}

/** `mayHaveCommitted`: an earlier run lost its connection at COMMIT, so `work` must recognise its own success. */
export function* transaction<T>(work: (mayHaveCommitted: boolean) => SqlWork<T>): SqlWork<T> {
  return (yield { work }) as T;
}

/** A tag for SQL templates: `statement('select_job')` names the statement that follows. */
export const tagged =
  <T>(build: (name: string, sql: string) => T) =>
  (name: string) =>
  (sql: TemplateStringsArray, ...parts: readonly string[]): T =>
    build(name, String.raw({ raw: sql }, ...parts));

/**
 * Takes PostgreSQL's SQL with `?` for parameters. On SQLite, where text sorts by bytes and there is one writer,
 * collations and row locks are removed.
 */
export const statement = tagged((name, sql) => {
  const sqlite = sql
    .replaceAll(/ FOR UPDATE| COLLATE "(?:C|default)"/g, '')
    .replaceAll('json_object_agg', 'json_group_object');
  return { ...forPostgres(name, sql), sqlite };
});

export const postgresOnly = tagged(forPostgres);

export const sqliteOnly = tagged(
  (name, sqlite): PortableStatement => ({ name, sqlite, returnsRows: returnsRows(sqlite) }),
);

function forPostgres(name: string, sql: string): PortableStatement {
  let place = 0;
  return { name, text: sql.replaceAll('?', () => `$${++place}`), returnsRows: returnsRows(sql) };
}

function returnsRows(sql: string): boolean {
  return /^\s*SELECT\b|\bRETURNING\b/.test(sql);
}

export const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value);

export const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);

export const bytesOrNull = (value: unknown): Uint8Array | null =>
  value instanceof Uint8Array ? new Uint8Array(value) : null;
