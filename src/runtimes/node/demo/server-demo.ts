/**
 * The demo of a server: its sites on loopback, and the allowance that makes them reachable while it runs. The allowance
 * covers only their origins, and only requests and jobs of the default tenant. The normal policy applies to all others.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { DEFAULT_TENANT } from '../../../api/auth/principal.js';
import type { ActAsTenant, DemoControl, DemoState } from '../../../api/routes/demo.js';
import { DEMO_PATHS } from '../../../cli/demo/demo-site.js';
import { type OpenDemo, openDemo } from '../../../cli/demo/open-demo.js';
import { compileRoutes, type InlineRoutes } from '../../../proxy/index.js';
import { listenLocally } from '../listen-locally.js';

/** The second name is used if the server has a route with the first. */
const ROUTE_NAMES = ['demo', 'sonde-demo'] as const;
const MODEL_PATH = 'v1/chat/completions';
const MODEL_BODY = { model: 'demo', stream: true, messages: [{ role: 'user', content: 'What is a sonde?' }] };
const OFF: DemoState = { running: false };

interface RunningDemo extends OpenDemo {
  readonly route: string;
  readonly startedAt: string;
}

export class ServerDemo implements DemoControl {
  readonly #clock: () => number;
  /** Used only while the demo runs, because tracking the context of every request has a cost. */
  readonly #tenant = new AsyncLocalStorage<string | null>();
  #routes = new Map<string, unknown>() as Map<string, RouteOf<InlineRoutes>>;
  #running: RunningDemo | undefined;
  /** Runs starts and stops one after another. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  readonly openOrigins = (): readonly string[] => {
    if (!this.#running || this.#tenant.getStore() !== DEFAULT_TENANT) return [];
    const { staging, production, site, model } = this.#running;
    return [staging, production, site, model];
  };

  readonly actAs: ActAsTenant = (tenant, work) => (this.#running ? this.#tenant.run(tenant, work) : work());

  /** Sets the map to which the model's route is added while the demo runs. */
  addRoutesTo(routes: Map<string, RouteOf<InlineRoutes>>): void {
    this.#routes = routes;
  }

  get state(): DemoState {
    return this.#running ? stateOf(this.#running) : OFF;
  }

  start(): Promise<DemoState> {
    return this.#inTurn(async () => {
      if (!this.#running) {
        const sites = await openDemo({ listenLocally });
        const route = ROUTE_NAMES.find((name) => !this.#routes.has(name)) ?? ROUTE_NAMES[1];
        const setting = {
          url: sites.model,
          credential: 'env:DEMO',
          private: true,
          tenants: [DEFAULT_TENANT],
        };
        const compiled = compileRoutes({ [route]: setting }, { authenticated: true, env: () => 'demo' }).get(
          route,
        );
        if (compiled) this.#routes.set(route, compiled);
        this.#running = { ...sites, route, startedAt: new Date(this.#clock()).toISOString() };
      }
      return this.state;
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      const running = this.#running;
      if (!running) return;
      this.#running = undefined;
      this.#routes.delete(running.route);
      await running.close();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#changing.then(work);
    this.#changing = turn.catch(() => {});
    return turn;
  }
}

type RouteOf<Routes> = Routes extends ReadonlyMap<string, infer Route> ? Route : never;

function stateOf({ staging, production, site, route, startedAt }: RunningDemo): DemoState {
  return {
    running: true,
    startedAt,
    compare: {
      left: staging,
      right: production,
      leftLabel: 'staging',
      rightLabel: 'production',
      paths: [...DEMO_PATHS],
    },
    audit: { url: `${site}/` },
    model: { route, path: MODEL_PATH, body: MODEL_BODY },
  };
}
