/**
 * What the app is given and what a request carries on its way through it. The app itself is web-standard:
 * a host hands it the connection's facts as bindings, and everything it cannot make alone as `AppDeps`.
 */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { SondeError } from '../errors.js';
import type { Log } from '../log.js';
import type { CfContext } from '../probe/index.js';
import type { ProxyOperations } from '../proxy/index.js';
import type { LiveSink, SubscriptionOperations } from '../streams/index.js';
import type { Authenticator } from './auth/authenticator.js';
import type { Principal, TenantGrant } from './auth/principal.js';
import type { ChangeSource } from './changes/change.js';
import type { AppComparisons } from './comparisons.js';
import type { Metrics } from './metrics/metrics.js';
import type { RequestMeter } from './middleware/observe-requests.js';
import type { PublicOrigin } from './middleware/public-origin.js';
import type { RateLimiter } from './middleware/rate-limit.js';
import type { AppRecords } from './records.js';
import type { DashboardFiles } from './routes/dashboard.js';
import type { DemoControl } from './routes/demo.js';
import type { StaticPages } from './routes/landing.js';
import type { ProbeService } from './routes/probe.js';
import type { StreamLists } from './routes/stream-list.js';
import type { StreamOperations } from './routes/stream-operations.js';
import type { HostResponse } from './routes/stream-response.js';
import type { SuiteReader } from './routes/suite-request.js';
import type { SystemSource } from './system/system-source.js';

/** A body that is written to the connection itself. */
export interface TakenOver {
  start(sink: LiveSink): void;
}

/** Set by the host for each request. */
export interface HostBindings {
  /** The address of the connection's other end; absent where the platform hides it. */
  readonly peerAddress?: string;
  /** Location of this host as reported by its platform; absent if the platform does not report it. */
  readonly runner?: CfContext;
  /** Whether the whole request has arrived; absent where the platform's own reader fails on an incomplete one. */
  readonly isWhole?: () => boolean;
  /** Lets a response write its body to the connection itself, once its head has gone out. */
  readonly takeOver?: (taken: TakenOver) => void;
}

export interface AppEnv {
  Bindings: HostBindings;
  Variables: {
    requestId: string;
    log: Log;
    publicOrigin: PublicOrigin;
    principal?: Principal;
    /** Why there is no principal; thrown by the first route that needs one. */
    authFault?: unknown;
    /** Set when the body grew past its bound while a handler read it. */
    bodyOverflow?: SondeError;
  };
}

export type App = OpenAPIHono<AppEnv>;
export type AppContext = Context<AppEnv>;

/** One thing that must work before the server should get traffic. */
export interface ReadinessCheck {
  readonly name: string;
  /** Resolves when it works, rejects when not. One that takes too long counts as failed. */
  check(): Promise<void>;
  /** Names of items that work but need attention. */
  notes?(): readonly string[];
}

/** How a browser gets a session. */
export interface Login {
  /** Spends a one-time code; rejects with `INVALID_LOGIN_CODE`. */
  redeem(code: string): Promise<{ readonly token: string; readonly grant: TenantGrant }>;
  /** Logs out: the session is refused from now on, wherever its token is. Other tokens are ignored. */
  end(token: string): Promise<void>;
}

export interface AppLimits {
  readonly bodyBytesMax: number;
  /** Of requests that are sent upstream. */
  readonly proxyBodyBytesMax?: number;
}

export interface AppDeps {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly log: Log;
  /** Absent where requests are spread over isolates, none of which counts all of them: `/metrics` is 404 then. */
  readonly metrics?: Metrics;
  readonly meter: RequestMeter;
  readonly authenticator: Authenticator;
  /** Absent with `--auth none`, where there is nothing to log in to. */
  readonly login?: Login;
  /** Where the host keeps pages as files; absent where they are made here. */
  readonly pages?: StaticPages;
  /** Absent where the dashboard was not built. */
  readonly dashboard?: DashboardFiles;
  /** Absent on a host without a store. */
  readonly streams?: StreamOperations<HostResponse>;
  readonly streamLists?: StreamLists;
  /** Absent where changes are not tracked. */
  readonly changes?: ChangeSource;
  readonly subscriptions?: SubscriptionOperations;
  readonly proxy?: ProxyOperations<HostResponse>;
  /** Absent on a host that sends nothing out. */
  readonly probe?: ProbeService;
  readonly records?: AppRecords;
  /** Absent where their history has no store. */
  readonly comparisons?: AppComparisons;
  /** Reads requests for suites in a thread; absent on a host without threads. */
  readonly suiteReader?: SuiteReader;
  /** Absent where the server is not measured. */
  readonly system?: SystemSource;
  /** Absent where the host offers no demo. */
  readonly demo?: DemoControl;
  readonly readiness: readonly ReadinessCheck[];
  /** Whether the server has begun to stop. */
  readonly stopping: () => boolean;
  /** How long one response of server-sent events lasts. */
  readonly sseMs: number;
  readonly limits: AppLimits;
  readonly rateLimiter: RateLimiter;
  /** Origins whose pages may read responses; empty means every origin. */
  readonly corsOrigins: readonly string[];
  readonly publicUrl?: string;
  /** Whether `X-Forwarded-*` from this address may be believed. */
  readonly trustedPeer: (address: string) => boolean;
  /** Whether only this machine can reach the server, which opens `/metrics`. */
  readonly localOnly: boolean;
}
