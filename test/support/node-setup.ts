/** What the project `node` needs besides the built program: the Worker, a PostgreSQL server and a Chromium. */
import type { TestProject } from 'vitest/node';
import { setup as buildEdge } from './build-edge-once.js';
import { findChromium } from './find-chromium.js';
import { startPostgres } from './postgres-cluster.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the browser's executable. */
    chromium: string;
    /** The URL of the server's own database, used to create others. */
    postgresUrl: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [chromium, postgres] = await Promise.all([findChromium(), startPostgres(), buildEdge()]);
  console.error(`browser tests: ${chromium.how} ${chromium.path}`);
  console.error(`database tests: ${postgres.how}`);
  project.provide('chromium', chromium.path);
  project.provide('postgresUrl', postgres.urlOf('postgres'));
  return () => postgres.stop();
}
