/** Reads the plans of statements, to find those that scan a table. */
import type pg from 'pg';
import type { OpenDatabase } from '../../src/runtimes/node/sqlite/open-database.js';
import type { SqlValue } from '../../src/stores/sqlite/sql-database.js';

export interface Scan {
  readonly statement: string;
  readonly scan: string;
}

/** Wraps a database so that its statements are recorded with the parameters of their first run. */
export function recordStatements(
  database: OpenDatabase,
  recorded: Map<string, readonly SqlValue[]>,
): OpenDatabase {
  const note = (sql: string, params: readonly SqlValue[]) => {
    if (!recorded.has(sql) && /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql))
      recorded.set(sql, params);
  };
  return {
    ...database,
    all(sql, params) {
      note(sql, params);
      return database.all(sql, params);
    },
    run(sql, params) {
      note(sql, params);
      database.run(sql, params);
    },
  };
}

/** Matches plans that read rows without a condition on an index. Values passed to a statement are not tables. */
const SQLITE_SCAN = /^SCAN (?!\(|CONSTANT|json_each|\S+ VIRTUAL TABLE)(.*)$/;

export function sqliteScans(
  database: OpenDatabase,
  recorded: ReadonlyMap<string, readonly SqlValue[]>,
): Scan[] {
  return [...recorded].flatMap(([sql, params]) =>
    database.all(`EXPLAIN QUERY PLAN ${sql}`, params).flatMap((row) => {
      const scan = SQLITE_SCAN.exec(String(row['detail']))?.[1];
      return scan === undefined ? [] : [{ statement: oneLine(sql), scan }];
    }),
  );
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Prepares statements like the pool, and plans them for any parameters. */
export async function postgresScans(
  client: pg.Client,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<Scan[]> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  await client.query(`PREPARE looked_at AS ${text}`);
  try {
    const params = count === 0 ? '' : `(${Array.from({ length: count }, () => 'NULL').join(', ')})`;
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) EXECUTE looked_at${params}`);
    const scans: Scan[] = [];
    for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
      const scan = scanOf(node, await firstColumn(client, node['Index Name']));
      if (scan !== undefined) scans.push({ statement: name, scan });
    }
    return scans;
  } finally {
    await client.query('DEALLOCATE looked_at');
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Without a condition on it, the whole index is read. */
async function firstColumn(client: pg.Client, index: string | undefined): Promise<string> {
  if (index === undefined) return '';
  const { rows } = await client.query('SELECT pg_get_indexdef($1::regclass, 1, true) AS column', [index]);
  return String(rows[0].column);
}

function scanOf(node: PlanNode, firstColumn: string): string | undefined {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = node;
  if (type === 'Seq Scan') return table;
  if (/Index/.test(type) && !condition?.includes(firstColumn)) return index;
  return undefined;
}

function oneLine(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim();
}
