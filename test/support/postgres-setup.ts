/** One PostgreSQL server for all projects of a run that need one; the last one to end stops it. */
import type { TestProject } from 'vitest/node';
import { type PostgresCluster, startPostgres } from './postgres-cluster.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the server's own database, used to create others. */
    postgresUrl: string;
  }
}

interface Shared {
  cluster: Promise<PostgresCluster>;
  users: number;
}

/** Each project loads this module separately, so the shared state is on the process. */
const holder = globalThis as { sondePostgres?: Shared | undefined };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  holder.sondePostgres ??= { cluster: startPostgres(), users: 0 };
  const shared = holder.sondePostgres;
  shared.users++;
  const cluster = await shared.cluster;
  if (shared.users === 1) console.error(`database tests: ${cluster.how}`);
  project.provide('postgresUrl', cluster.urlOf('postgres'));
  return async () => {
    if (--shared.users > 0) return;
    holder.sondePostgres = undefined;
    await cluster.stop();
  };
}
