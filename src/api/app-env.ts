/**
 * The dependencies of the app and the context of a request. The app itself only uses web standards: a host passes the
 * details of a connection as bindings, and everything that depends on the platform as `AppDeps`.
 */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { SondeError } from '../errors.js';
import type { BodyLimits } from '../kernel/door.js';
import type { PublicOrigin } from '../kernel/public-origin.js';
import type { RateLimiter } from '../kernel/rate-limit.js';
import type { Reply } from '../kernel/reply.js';
import type { RequestMeter } from '../kernel/request-meter.js';
import type { Log } from '../log.js';
import type { Turn } from '../loop-turns.js';
import type { CfContext } from '../probe/index.js';
import type { ProxyOperations } from '../proxy/index.js';
import type { SubscriptionOperations } from '../streams/index.js';
import type { Authenticator } from './auth/authenticator.js';
import type { Principal, TenantGrant } from './auth/principal.js';
import type { ChangeSource } from './changes/change.js';
import type { AppComparisons } from './comparisons.js';
import type { ReportRenderer } from './large-bodies.js';
import type { Metrics } from './metrics/metrics.js';
import type { AppRecords } from './records.js';
import type { DashboardFiles } from './routes/dashboard.js';
import type { DemoControl } from './routes/demo.js';
import type { StaticPages } from './routes/landing.js';
import type { ProbeService } from './routes/probe.js';
import type { StreamLists } from './routes/stream-list.js';
import type { SuiteReader } from './routes/suite-request.js';
import type { StreamOperations } from './streams/serve.js';
import type { SystemSource } from './system/system-source.js';

/** Set by the host for each request. */
export interface HostBindings {
  /** The address of the connection's peer; absent if the platform hides it. */
  readonly peerAddress?: string;
  /** Location of this host as reported by its platform; absent if the platform does not report it. */
  readonly runner?: CfContext;
  /** Whether the complete request has arrived; absent if the platform's own reader fails on an incomplete one. */
  readonly isWhole?: () => boolean;
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
    /** Set if the body exceeded its limit while a handler read it. */
    bodyOverflow?: SondeError;
  };
}

export type App = OpenAPIHono<AppEnv>;
export type AppContext = Context<AppEnv>;

/** A check that must pass before the server should get traffic. */
export interface ReadinessCheck {
  readonly name: string;
  /** What does not work while the check fails. */
  readonly stops: readonly string[];
  /** Rejects if the check fails. A check that takes too long counts as failed. */
  check(): Promise<void>;
  /** Names of items that work but need attention. */
  notes?(): readonly string[];
}

/** How a browser gets a session. */
export interface Login {
  /** Redeems a one-time code; rejects with `INVALID_LOGIN_CODE`. */
  redeem(code: string): Promise<{ readonly token: string; readonly grant: TenantGrant }>;
  /** Logs out: copies of the session's token are refused too. Tokens that are not sessions are ignored. */
  end(token: string): Promise<void>;
}

/** Settings of the server that only operations read. */
export interface AppSettings {
  /** How long one response of server-sent events lasts. */
  readonly sseMs: number;
}

export interface AppDeps {
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly log: Log;
  /** Absent if requests are spread over isolates and none can count them all; `/metrics` is then 404. */
  readonly metrics?: Metrics;
  readonly meter: RequestMeter;
  readonly authenticator: Authenticator;
  /** Absent with `--auth none`, which has no login. */
  readonly login?: Login;
  /** The host's prebuilt pages; absent if pages are rendered here. */
  readonly pages?: StaticPages;
  /** Absent if the dashboard was not built. */
  readonly dashboard?: DashboardFiles;
  /** Absent on a host without a store. */
  readonly streams?: StreamOperations;
  readonly streamLists?: StreamLists;
  /** Absent if changes are not tracked. */
  readonly changes?: ChangeSource;
  readonly subscriptions?: SubscriptionOperations;
  readonly proxy?: ProxyOperations<Reply>;
  /** Absent on a host that sends no outbound requests. */
  readonly probe?: ProbeService;
  readonly records?: AppRecords;
  /** Absent on a host without a store for their history. */
  readonly comparisons?: AppComparisons;
  /** Parses suite requests in a worker thread; absent on a host without threads. */
  readonly suiteReader?: SuiteReader;
  /** Renders reports in a thread; absent on a host without threads. */
  readonly reports?: ReportRenderer;
  /** Shared by all long work of the event loop; timers if absent. */
  readonly turn?: Turn;
  /** Absent if the host reports no figures. */
  readonly system?: SystemSource;
  /** Absent if the host offers no demo. */
  readonly demo?: DemoControl;
  readonly readiness: readonly ReadinessCheck[];
  /** Whether the server is shutting down. */
  readonly stopping: () => boolean;
  readonly settings: AppSettings;
  readonly limits: BodyLimits;
  readonly rateLimiter: RateLimiter;
  /** Origins whose pages may read responses; empty means every origin. */
  readonly corsOrigins: readonly string[];
  readonly publicUrl?: string;
  /** Whether `X-Forwarded-*` from this address is trusted. */
  readonly trustedPeer: (address: string) => boolean;
  /** Whether only this machine can reach the server; `/metrics` then needs no credential. */
  readonly localOnly: boolean;
}
