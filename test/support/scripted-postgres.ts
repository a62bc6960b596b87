/** A driver of PostgreSQL that returns the test's rows for each named statement, and records what was sent. */
import type { PgDatabase, PgRow, PgValue } from '../../src/stores/postgres/pg-database.js';

type Answer = readonly PgRow[] | (() => readonly PgRow[]);

export interface SentStatement {
  readonly name: string;
  readonly params: readonly PgValue[];
}

/** A list of answers serves one call each; the last one serves all further calls. */
export function scriptedPostgres(
  answers: Readonly<Record<string, readonly Answer[]>>,
  { mayHaveCommitted = false } = {},
) {
  const sent: SentStatement[] = [];
  /** The options of each transaction. */
  const transactions: unknown[] = [];
  const query: PgDatabase['query'] = async ({ name, text }, params) => {
    const key = name === '' ? text : name;
    const earlier = sent.filter((each) => each.name === key).length;
    sent.push({ name: key, params });
    const given = answers[key] ?? [];
    const answer = given[earlier] ?? given.at(-1) ?? [];
    return typeof answer === 'function' ? answer() : answer;
  };
  const database: PgDatabase = {
    query,
    transaction: (work, options) => {
      transactions.push(options);
      return work({ query }, mayHaveCommitted);
    },
    listen: async () => async () => {},
    checkSession: async () => void sent.push({ name: 'check session', params: [] }),
  };
  return {
    database,
    sent,
    transactions,
    names: () => sent.map(({ name }) => name),
    paramsOf: (name: string) => sent.filter((each) => each.name === name).map(({ params }) => params),
  };
}
