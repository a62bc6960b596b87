/**
 * The platform for the edge's own classes, in one process: objects with counted storage and alarms, calls between them,
 * eviction after ten idle seconds, and Workflows. The test controls the time and must use fake timers. Nothing here
 * decides what the product does; this file only carries calls and counts them.
 */
import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import { EnvPairDO } from '../../src/runtimes/cloudflare/compare/env-pair.js';
import { composeApp, type EdgeApp } from '../../src/runtimes/cloudflare/compose-app.js';
import { AuditLedger } from '../../src/runtimes/cloudflare/ledger/audit-ledger.js';
import { HotBuffer } from '../../src/runtimes/cloudflare/streams/hot-buffer.js';
import { AuditSite } from '../../src/runtimes/cloudflare/workflows/audit-site.js';
import { CompareEnvironments } from '../../src/runtimes/cloudflare/workflows/compare-environments.js';
import { SimulatedObject } from './simulated-object.js';
import { SimulatedWorkflow } from './simulated-workflow.js';

/** The costs of a period of time. */
export interface EdgeCounts {
  rowsWritten: number;
  rowsRead: number;
  alarmsSet: number;
  alarmsRun: number;
  /** Calls to objects, by class and method. */
  calls: Record<string, number>;
  /** Objects created, or created again after an eviction. */
  wakeUps: number;
  /** Total milliseconds in which objects were busy or held. */
  heldMs: number;
  workflowSteps: number;
  workflowRuns: number;
  workerRequests: number;
}

const STEP_MS = 5;

const CLASSES = { HotBuffer, AuditLedger, ENVPAIR_DO: EnvPairDO } as const;
type Binding = keyof typeof CLASSES;

const VARIABLES = {
  SONDE_SECRET: 'a secret for tests only, 43 characters long',
  SONDE_AUTH: 'none',
  SONDE_LOG_LEVEL: 'error',
  SONDE_PROXY_ALLOW: 'https://llm.sonde-example.com',
};

export class EdgeWorld {
  readonly counts: EdgeCounts = freshCounts();
  readonly env: Record<string, unknown>;
  readonly compareWorkflow: SimulatedWorkflow;
  readonly #objects = new Map<string, SimulatedObject>();
  readonly #workflows: readonly SimulatedWorkflow[];
  #app: EdgeApp | undefined;
  #ciphering = 0;

  constructor() {
    const compare = new SimulatedWorkflow(CompareEnvironments, this.counts, () => this.env);
    const audit = new SimulatedWorkflow(AuditSite, this.counts, () => this.env);
    this.compareWorkflow = compare;
    this.#workflows = [compare, audit];
    this.env = {
      ...VARIABLES,
      HotBuffer: this.#namespace('HotBuffer'),
      AuditLedger: this.#namespace('AuditLedger'),
      ENVPAIR_DO: this.#namespace('ENVPAIR_DO'),
      COMPARE_WORKFLOW: compare.binding,
      AUDIT_WORKFLOW: audit.binding,
      COLD_SEGMENTS: {},
      DELETIONS: { send: async () => undefined },
      ASSETS: { fetch: async () => new Response(null, { status: 404 }) },
    };
  }

  /** Sends a request to the Worker and waits for the response in simulated time. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    this.counts.workerRequests++;
    this.#app ??= await this.run(composeApp(this.env as never));
    const { app } = this.#app;
    return this.run(Promise.resolve(app.fetch(new Request(`http://127.0.0.1${path}`, init), {})));
  }

  /** Advances time until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    for (let ms = 0; !isOver; ms++) {
      if (ms > 600_000) throw new Error('the work did not end within ten minutes');
      await this.pass(1);
    }
    return work;
  }

  async pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    await this.#realWork();
  }

  /** Advances time in small steps, so that work in other threads keeps up. */
  async passSlowly(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) await this.pass(STEP_MS);
  }

  /** Finishes work that takes no simulated time, such as ciphers, before more of it passes. */
  async #realWork(): Promise<void> {
    do {
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    } while (this.#ciphering > 0);
  }

  /** The platform runs ciphers in other threads. */
  countCiphers(): void {
    const { subtle } = crypto;
    const counted = new Proxy(subtle, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]) => {
          this.#ciphering++;
          try {
            return await method.apply(target, args);
          } finally {
            this.#ciphering--;
          }
        };
      },
    });
    vi.spyOn(crypto, 'subtle', 'get').mockReturnValue(counted);
  }

  /** Returns what was counted since the last call. */
  take(): EdgeCounts {
    const taken = { ...this.counts, calls: { ...this.counts.calls } };
    Object.assign(this.counts, freshCounts());
    return taken;
  }

  /** When each object with an alarm will be woken, by class. */
  get alarms(): readonly { readonly binding: string; readonly at: number }[] {
    return [...this.#objects.values()].flatMap(({ binding, alarm }) =>
      alarm === null ? [] : [{ binding, at: alarm }],
    );
  }

  close(): void {
    for (const object of this.#objects.values()) object.close();
  }

  /** Whether some Workflow has not ended. */
  get isWorking(): boolean {
    return this.#workflows.some(({ running }) => running > 0);
  }

  #namespace(binding: Binding): unknown {
    const idOf = (text: string) => ({
      toString: () => text,
      equals: (other: { toString(): string }) => other.toString() === text,
    });
    const namespace = {
      idFromName: (name: string) => idOf(createHash('sha256').update(`${binding} ${name}`).digest('hex')),
      idFromString: idOf,
      get: (id: { toString(): string }) => this.#object(binding, id).stub,
      jurisdiction: () => namespace,
    };
    return namespace;
  }

  #object(binding: Binding, id: { toString(): string }): SimulatedObject {
    const key = `${binding} ${id}`;
    const known = this.#objects.get(key);
    if (known) return known;
    const made = new SimulatedObject({
      binding,
      id,
      counts: this.counts,
      open: (ctx) => new CLASSES[binding](ctx as never, this.env as never) as never,
    });
    this.#objects.set(key, made);
    return made;
  }
}

function freshCounts(): EdgeCounts {
  return {
    rowsWritten: 0,
    rowsRead: 0,
    alarmsSet: 0,
    alarmsRun: 0,
    calls: {},
    wakeUps: 0,
    heldMs: 0,
    workflowSteps: 0,
    workflowRuns: 0,
    workerRequests: 0,
  };
}
