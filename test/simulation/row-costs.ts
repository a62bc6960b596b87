/**
 * How many rows a statement is billed for, according to what the platform was observed to count: rows, and new index
 * entries. Removed index entries are not counted.
 */
export interface WriteStatement {
  readonly kind: 'insert' | 'replace' | 'update' | 'delete';
  readonly table: string;
  /** Columns set by an update, or by an insert that found its row. */
  readonly sets: readonly string[];
}

export interface Index {
  readonly columns: readonly string[];
  readonly isPartial: boolean;
  readonly predicate: string;
  readonly entries: number;
  /** All of its entries as text. */
  readonly content: string;
}

const FORM =
  /^\s*(?:(INSERT|REPLACE)(?:\s+OR\s+(\w+))?\s+INTO|(UPDATE)(?:\s+OR\s+\w+)?|(DELETE)\s+FROM)\s+(\w+)/i;
const SETS = /\bSET\b([\s\S]*?)(?:\bWHERE\b|\bRETURNING\b|$)/i;

/** Returns undefined for a statement that writes no rows. */
export function readStatement(sql: string): WriteStatement | undefined {
  const [, insert, or, update, , table] = FORM.exec(sql) ?? [];
  if (table === undefined) return undefined;
  const sets = [...(SETS.exec(sql)?.[1] ?? '').matchAll(/(\w+)\s*=/g)].map(([, column = '']) => column);
  const inserted = /replace/i.test(`${insert} ${or}`) ? 'replace' : 'insert';
  return { kind: insert ? inserted : update ? 'update' : 'delete', table, sets };
}

/** Returns the rows of one schema change. */
export function rowsOfSchemaChange(sql: string): number {
  return /^\s*CREATE\s+TABLE/i.test(sql) ? 2 : 1;
}

export interface Change {
  /** Rows that were inserted, updated or deleted. */
  readonly changed: number;
  readonly before: readonly Index[];
  readonly after: readonly Index[];
}

/** Returns the number of new index entries. */
export function indexEntries(statement: WriteStatement, { changed, before, after }: Change): number {
  if (statement.kind === 'delete') return 0;
  let entries = 0;
  for (const [number, index] of after.entries()) {
    const grown = index.entries - (before[number]?.entries ?? 0);
    if (grown !== 0) entries += Math.max(0, grown);
    else if (isMoved(statement, index, before[number])) entries += changed;
  }
  return entries;
}

/** An index with as many entries as before may still have a new one. */
function isMoved({ kind, sets }: WriteStatement, index: Index, before: Index | undefined): boolean {
  if (kind === 'replace') return index.entries > 0;
  const isTouched = sets.some(
    (column) => index.columns.includes(column) || new RegExp(`\\b${column}\\b`).test(index.predicate),
  );
  return isTouched && (!index.isPartial || index.content !== before?.content);
}
