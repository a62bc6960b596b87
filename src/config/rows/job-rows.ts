/** Settings of the job queue. */
import type { SettingRow } from '../setting-row.js';
import { count, secret, secretPair, time } from './forms.js';

export const JOBS_ROWS = [
  {
    key: 'jobs.databaseUrl',
    flag: 'database-url',
    env: 'DATABASE_URL',
    takes: 'text',
    placeholder: 'URL',
    about: 'PostgreSQL database for jobs, tenants, audits, comparisons and webhooks',
    schema: (is) => is.postgresUrl,
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
    about:
      "secret that tenants' webhook secrets are derived from; must be the same on every process of a cluster",
    ...secret,
  },
  {
    key: 'jobs.sealingSecret',
    flag: 'sealing-secret',
    about:
      'secret that encrypts stored webhook URLs and comparison requests, optionally followed by the previous one',
    ...secretPair,
  },
] as const satisfies readonly SettingRow[];

/** Settings of a standalone worker. A server ignores them, because it has a port of its own. */
export const WORKER_ROWS = [
  {
    key: 'worker.healthPort',
    flag: 'health-port',
    takes: 'number',
    placeholder: 'PORT',
    about: 'port of /api/health, /api/ready and /metrics of a worker; 0 picks a free one',
    schema: (is) => is.whole(0, 65_535),
    form: 'a whole number from 0 to 65535',
    unset: 'no port is opened',
  },
  {
    key: 'worker.healthHost',
    flag: 'health-host',
    takes: 'text',
    placeholder: 'ADDRESS',
    about: 'address of that port; it needs no token, so open it only to a trusted network',
    schema: (is) => is.host,
    form: 'a host name or an IP address, without brackets',
    default: '127.0.0.1',
  },
] as const satisfies readonly SettingRow[];
