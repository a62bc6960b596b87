/**
 * The edge for fault tests: workerd can be killed like in a crash, and single objects can be made to lose their memory
 * while it keeps running.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { bundleWorker } from '../../scripts/build-edge.mjs';
import { type RunningEdge, startEdge } from '../../scripts/edge-server.mjs';
import { EDGE_VARIABLES } from './serve-edge.js';

export interface FaultyEdge extends RunningEdge {
  /** Sends SIGKILL; resolves when the process is gone. Can be called again. */
  kill(): Promise<void>;
  /** Clears an object's memory, mid-call and mid-stream. Only if the edge was started as `abortable`. */
  abort(binding: string, name: string, how?: 'lose' | 'loseAlarm'): Promise<void>;
  /** Returns how many tables the object of a stream has. Only if the edge was started as `abortable`. */
  tables(stream: string): Promise<number>;
}

export interface FaultyEdgeOptions {
  readonly folder: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Runs the test Worker instead of the one that ships. */
  readonly abortable?: boolean;
  /** Overrides for queue consumers. */
  readonly consumers?: Record<string, object>;
}

let abortableBundle: Promise<Uint8Array> | undefined;

function bundleAbortable(): Promise<Uint8Array> {
  abortableBundle ??= bundleWorker('test/edge/workers/abortable.ts').then(({ contents }) => contents);
  return abortableBundle;
}

export async function startFaultyEdge(options: FaultyEdgeOptions): Promise<FaultyEdge> {
  const { folder, variables, abortable = false, consumers } = options;
  const bundle = abortable ? await bundleAbortable() : undefined;
  const { started: edge, workerd } = await withWorkerd(() =>
    startEdge({
      stateFolder: folder,
      pages: false,
      variables: { ...EDGE_VARIABLES, ...variables },
      ...(bundle && { bundle }),
      ...(consumers && { consumers }),
    }),
  );
  let over: Promise<void> | undefined;
  const kill = async () => {
    const exited = once(workerd, 'exit');
    workerd.kill('SIGKILL');
    await exited;
    await edge.stop();
  };
  return {
    ...edge,
    kill() {
      over ??= kill();
      return over;
    },
    stop() {
      over ??= edge.stop();
      return over;
    },
    async abort(binding, name, how = 'lose') {
      const namespace = await edge.objects(binding);
      const object = namespace.get(namespace.idFromName(name)) as unknown as Record<
        typeof how,
        () => Promise<void>
      >;
      // The call itself is lost with the object.
      await object[how]().catch(() => {});
    },
    async tables(stream) {
      const namespace = await edge.objects('HotBuffer');
      const object = namespace.get(namespace.idFromName(stream)) as unknown as {
        tables(): Promise<number>;
      };
      return object.tables();
    },
  };
}

/** The processes that were started by the current call. */
const startedHere = new AsyncLocalStorage<ChildProcess[]>();

/** Returns the process that this call started. */
async function withWorkerd<T>(start: () => Promise<T>): Promise<{ started: T; workerd: ChildProcess }> {
  const begun: ChildProcess[] = [];
  const note = (message: unknown) => {
    // Others may start theirs at the same time.
    if (startedHere.getStore() === begun) begun.push((message as { process: ChildProcess }).process);
  };
  subscribe('child_process', note);
  try {
    const started = await startedHere.run(begun, start);
    const [workerd, ...others] = begun.filter(({ spawnfile }) => /workerd/.test(spawnfile));
    if (!workerd || others.length > 0) throw new Error(`${begun.length} processes of workerd were started`);
    return { started, workerd };
  } finally {
    unsubscribe('child_process', note);
  }
}
