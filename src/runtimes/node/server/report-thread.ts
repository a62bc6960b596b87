/**
 * Renders reports in a worker thread, one after another; tenants take turns. The thread starts with the first report
 * and does not keep the process alive. A report that takes too long is given up with its thread.
 */
import { Worker } from 'node:worker_threads';
import type { ReportRenderer } from '../../../api/large-bodies.js';
import type { Rendering } from '../../../audits/index.js';
import { SondeError } from '../../../errors.js';
import { FairQueue } from '../../../fair-queue.js';
import type { Turn } from '../../../loop-turns.js';

export type ToReports =
  | { readonly kind: 'piece'; readonly text: number; readonly piece: string }
  | { readonly kind: 'render'; readonly rendering: Rendering };

export type FromReports = { readonly chunks: readonly Uint8Array[] } | { readonly failed: string };

export interface ReportThread extends ReportRenderer {
  close(): Promise<void>;
}

interface ReportThreadOptions {
  readonly workerUrl: URL;
  readonly turn: Turn;
  readonly renderMs?: number;
  /** Reports that may wait for the thread. */
  readonly waitingMax?: number;
}

const RENDER_MS_DEFAULT = 60_000;
const WAITING_MAX_DEFAULT = 100;
/** Pieces sent to the thread per turn; each has up to 128 K characters. */
const PIECES_PER_TURN = 8;

export function createReportThread(options: ReportThreadOptions): ReportThread {
  const { workerUrl, turn, renderMs = RENDER_MS_DEFAULT, waitingMax = WAITING_MAX_DEFAULT } = options;
  const queue = new FairQueue();
  let worker: Worker | undefined;

  async function render(
    rendering: Rendering,
    texts: readonly (readonly string[])[],
  ): Promise<readonly Uint8Array[]> {
    worker ??= new Worker(workerUrl, { stdout: false, stderr: false });
    const own = worker;
    own.ref();
    try {
      const reply = replyOf(own, renderMs);
      // It may fail while the pieces are sent.
      reply.catch(() => {});
      let sent = 0;
      for (const [text, pieces] of texts.entries()) {
        for (const piece of pieces) {
          own.postMessage({ kind: 'piece', text, piece } satisfies ToReports);
          sent += 1;
          if (sent % PIECES_PER_TURN === 0) await turn();
        }
      }
      own.postMessage({ kind: 'render', rendering } satisfies ToReports);
      const result = await reply;
      if ('chunks' in result) return result.chunks;
      throw new Error(`the report could not be rendered: ${result.failed}`);
    } catch (error) {
      worker = undefined;
      await own.terminate();
      throw error;
    } finally {
      own.unref();
    }
  }

  return {
    render(tenantId, rendering, texts) {
      if (queue.waiting >= waitingMax) throw busy(`${waitingMax} reports are waiting to be rendered`);
      return queue.run(tenantId, () => render(rendering, texts));
    },
    async close() {
      await worker?.terminate();
    },
  };
}

function replyOf(worker: Worker, renderMs: number): Promise<FromReports> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => settle(() => reject(busy(`The report was not rendered within ${renderMs} ms`))),
      renderMs,
    );
    const settle = (act: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      act();
    };
    const onMessage = (message: FromReports) => settle(() => resolve(message));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('the report thread ended')));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

function busy(what: string): SondeError {
  return new SondeError('SERVER_BUSY', `${what}. Try again later, or read the report as JSON.`);
}
