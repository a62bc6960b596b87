/** Starts a worker without a server: it runs the jobs of a shared database, and may have a port for its health. */
import { Metrics } from '../../../api/metrics/metrics.js';
import type { RunningWorker } from '../../../cli/ports.js';
import type { Settings } from '../../../config/settings.js';
import { VERSION } from '../../../version.js';
import { outboundOptions } from '../outbound-options.js';
import { composeRecords, type RecordsOptions } from './compose-records.js';
import { declareDatabaseMetrics } from './database-metrics.js';
import { declareProcessMetrics } from './process-metrics.js';
import { declareRecordMetrics } from './record-metrics.js';
import { secretFiles } from './secrets.js';
import { declareSweepMetrics } from './sweep-metrics.js';
import { openWorkerHealth } from './worker-health.js';

export interface WorkerOptions extends Omit<RecordsOptions, 'secrets' | 'net' | 'openLoopback'> {
  readonly settings: Settings;
}

export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { settings, log } = options;
  const { healthHost: host, healthPort: port } = settings.worker;
  const net = await outboundOptions(settings.net);
  const records = await composeRecords(
    { ...options, secrets: secretFiles(settings.server.data), net, openLoopback: false },
    Date.now,
  );
  const stop = () => records.stop(settings.server.drainMs);
  if (port === undefined) return { stop };
  const metrics = new Metrics();
  declareProcessMetrics(metrics);
  declareRecordMetrics(metrics, records.figures);
  if (records.database) declareDatabaseMetrics(metrics, records.database);
  declareSweepMetrics(metrics, records.sweeps);
  let isStopping = false;
  const rest = { metrics, version: VERSION, log, readiness: [records.readiness], stopping: () => isStopping };
  const server = await openWorkerHealth({ host, port, ...rest }).catch(async (error: unknown) => {
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
