/** Starts a PostgreSQL server for the projects whose tests need one. */
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-cluster.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the server's own database, used to create others. */
    postgresUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  console.error(`database tests: ${postgres.how}`);
  project.provide('postgresUrl', postgres.urlOf('postgres'));
  return () => postgres.stop();
}
