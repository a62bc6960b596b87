/** Settings of the job queue. */
import type { SettingRow } from '../setting-row.js';
import { count, time } from './measured.js';

export const JOBS_ROWS = [
  {
    key: 'jobs.databaseUrl',
    flag: 'database-url',
    env: 'DATABASE_URL',
    takes: 'text',
    placeholder: 'URL',
    about: 'PostgreSQL database for jobs, tenants, audits, comparisons and webhooks',
    form: 'a URL such as postgres://host:5432/sonde, with user and password if needed',
    unset: 'a SQLite file in the data folder',
    secret: true,
  },
  {
    key: 'jobs.concurrency',
    flag: 'job-concurrency',
    about: 'jobs this process runs at once; 0 runs none',
    ...count(0, 1000, 10),
  },
  {
    key: 'jobs.leaseMs',
    flag: 'job-lease-ms',
    about: 'how long a job stays leased to a worker that stops renewing the lease',
    ...time('1s', '1h', '5m'),
  },
  {
    key: 'jobs.durationMs',
    flag: 'job-duration-ms',
    about: 'how long a job may run, over all attempts, before it fails with JOB_TIME_EXCEEDED',
    ...time('1s', '20d', '1d'),
  },
  {
    key: 'jobs.maxAttempts',
    flag: 'job-attempts',
    about: 'maximum attempts per job',
    ...count(1, 100, 3),
  },
  {
    key: 'jobs.pollMs',
    flag: 'job-poll-ms',
    about: 'how often a worker polls for jobs it was not notified of',
    ...time('50ms', '1m', '1s'),
  },
  {
    key: 'jobs.retentionMs',
    flag: 'job-retention-ms',
    about: 'how long finished jobs and their events are kept',
    ...time('1m', '3650d', '30d'),
  },
  {
    key: 'jobs.webhookSecret',
    flag: 'webhook-secret',
    takes: 'text',
    placeholder: 'SECRET',
    about:
      "secret that tenants' webhook secrets are derived from; must be the same on every process of a cluster",
    form: 'text of at least 32 bytes',
    unset: 'the one in the data folder',
    secret: true,
  },
  {
    key: 'jobs.sealingSecret',
    flag: 'sealing-secret',
    takes: 'list',
    placeholder: 'SECRET,…',
    about:
      'secret that encrypts stored webhook URLs and comparison requests, optionally followed by the previous one',
    form: 'one or two texts of at least 32 bytes',
    unset: 'the one in the data folder',
    secret: true,
  },
] as const satisfies readonly SettingRow[];
