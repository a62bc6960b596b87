/** Measures this process for `GET /api/system`: counts since the start, the last hour, and figures from the stores. */
import { statfs } from 'node:fs/promises';
import process from 'node:process';
import { MinutePoints } from '../../../api/system/minute-points.js';
import type { SystemSource } from '../../../api/system/system-source.js';
import type { QueueOverview } from '../../../jobs/index.js';
import type { RequestMeter } from '../../../kernel/request-meter.js';
import type { Log } from '../../../log.js';
import type { Refusal } from '../../../net/index.js';

export interface Measured {
  readonly engine: SystemSource['engine'];
  readonly dataDir: string;
  readonly clock: () => number;
  readonly log: Log;
  queue(): Promise<QueueOverview>;
  responsesRunning(): number;
  liveReaders(): number;
}

/** Counts from the start, before the measured parts exist. */
export class ServerCounts {
  readonly refusals: Record<string, number> = {};
  requests = 0;
  errors = 0;

  readonly onRefused = ({ rule }: Refusal): void => {
    this.refusals[rule] = (this.refusals[rule] ?? 0) + 1;
  };

  /** Returns a meter that also counts requests here. */
  wrapMeter(meter: RequestMeter): RequestMeter {
    return {
      started: () => meter.started(),
      ended: (request) => {
        this.requests++;
        if (request.status >= 500) this.errors++;
        meter.ended(request);
      },
    };
  }

  get refused(): number {
    return Object.values(this.refusals).reduce((sum, count) => sum + count, 0);
  }
}

export interface ServerFigures extends SystemSource {
  stop(): Promise<void>;
}

export function measureServer(counts: ServerCounts, measured: Measured): ServerFigures {
  const { engine, dataDir, clock, log, queue, responsesRunning, liveReaders } = measured;
  const minutes = new MinutePoints({
    clock,
    totals: () => ({ requests: counts.requests, errors: counts.errors, refusals: counts.refused }),
    async gauges() {
      const { queued, running, oldestQueuedMs } = await queue();
      return { queued, running, oldestQueuedMs: oldestQueuedMs ?? 0, responses: responsesRunning() };
    },
  });
  minutes.start();
  const tryRead = <T>(name: string, read: Promise<T>) =>
    read.catch((error: unknown) => {
      log.warn('a system figure could not be read', { figure: name, err: error });
      return undefined;
    });
  return {
    engine,
    runtime: `node ${process.versions.node}`,
    startedAt: clock(),
    async figures() {
      const [overview, disk] = await Promise.all([
        tryRead('queue', queue()),
        tryRead('storage', statfs(dataDir)),
      ]);
      return {
        ...(overview && { queue: overview }),
        responsesRunning: responsesRunning(),
        liveReaders: liveReaders(),
        refusals: counts.refusals,
        ...(disk && {
          storage: { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize },
        }),
        points: minutes.points,
      };
    },
    async stop() {
      minutes.stop();
    },
  };
}
