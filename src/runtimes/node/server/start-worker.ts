/** Starts a worker without a server: it runs the jobs of a shared database, and may have a port for its health. */
import { Metrics } from '../../../api/metrics/metrics.js';
import type { RunningWorker } from '../../../cli/ports.js';
import type { Settings } from '../../../config/settings.js';
import { composeRecords, type RecordsOptions } from './compose-records.js';
import { declareDatabaseMetrics } from './database-metrics.js';
import { declareProcessMetrics } from './process-metrics.js';
import { declareRecordMetrics } from './record-metrics.js';
import { declareSweepMetrics } from './sweep-metrics.js';
import { openWorkerHealth } from './worker-health.js';

export interface WorkerOptions extends RecordsOptions {
  readonly health: Settings['worker'];
  readonly drainMs: number;
  readonly version: string;
}

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { health, drainMs, version, log } = options;
  const records = await composeRecords(options, Date.now);
  const stop = () => records.stop(drainMs);
  if (health.healthPort === undefined) return { stop };
  const metrics = new Metrics();
  declareProcessMetrics(metrics);
  declareRecordMetrics(metrics, records.figures);
  if (records.database) declareDatabaseMetrics(metrics, records.database);
  declareSweepMetrics(metrics, records.sweeps);
  let isStopping = false;
  const port = { host: health.healthHost, port: health.healthPort };
  const rest = { metrics, version, log, readiness: [records.readiness], stopping: () => isStopping };
  const server = await openWorkerHealth({ ...port, ...rest }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url: server.url,
    async stop() {
      isStopping = true;
      await stop();
      await server.stop();
    },
  };
}
