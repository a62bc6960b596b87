/** The settings and dependencies of every proxy operation. */
import type { CountMap } from '../count-map.js';
import type { SondeError } from '../errors.js';
import type { Log } from '../log.js';
import type { OutboundRequest, OutboundResult, Redactor } from '../net/index.js';
import type { LifetimeClock, StreamService } from '../streams/index.js';
import type { Allowlist } from './allowlist.js';
import type { HeadWait } from './head-wait.js';
import type { OpenRequests } from './open-requests.js';
import { type OrphanPolicy, readOrphanPolicy } from './orphan-policy.js';
import type { ProxyStore } from './proxy-store.js';
import type { RunningPumps, WritePace } from './running-pumps.js';
import type { SignedUrls } from './signed-url.js';
import type { TenantShare } from './tenant-share.js';
import type { Timers } from './timers.js';

export interface ProxySettings {
  /** How long an upstream may take to send its response head: `UPSTREAM_TIMEOUT`. */
  readonly headersMs: number;
  /** How long it may send nothing during a response: `UPSTREAM_BODY_TIMEOUT`. */
  readonly idleMs: number;
  /** Bytes of one response, decoded: `RESPONSE_TOO_LARGE`. */
  readonly responseBytesMax: number;
  /** While the store is slow, a record is written after this many bytes, or this long after its first byte. */
  readonly flushBytes: number;
  readonly flushMs: number;
  /** The minimum interval between small writes, for platforms that bill each write. */
  readonly pace: WritePace | null;
  /** How long streams and keys are kept. */
  readonly keepMs: number;
  /** How long a signed URL is valid. */
  readonly urlMs: number;
  readonly orphanPolicy: OrphanPolicy;
  /** Concurrent responses of one tenant, unless its quota differs: `TOO_MANY_STREAMS`. */
  readonly streamsMax: number;
  /** How many calls without a response head a tenant's lists keep; the oldest are removed. */
  readonly headlessMax: number;
}

const DAY_MS = 24 * 3_600_000;

export const DEFAULT_PROXY_SETTINGS: ProxySettings = {
  headersMs: 60_000,
  idleMs: 10 * 60_000,
  responseBytesMax: 2 ** 30,
  flushBytes: 4096,
  flushMs: 50,
  pace: null,
  keepMs: DAY_MS,
  urlMs: DAY_MS,
  orphanPolicy: null,
  streamsMax: 5_000,
  headlessMax: 10_000,
};

/** Its part of the settings `proxy.*`, with the orphan policy as text. */
type GivenSettings = Omit<ProxySettings, 'pace' | 'orphanPolicy' | 'headlessMax'> & {
  readonly orphanPolicy: string;
};

export function proxySettingsOf(given: GivenSettings): ProxySettings {
  return { ...DEFAULT_PROXY_SETTINGS, ...given, orphanPolicy: readOrphanPolicy(given.orphanPolicy) };
}

/** The egress layer; `lifted` allows the private origins of `private:` patterns. */
export interface UpstreamClient {
  readonly keepsCodings?: boolean;
  fetch(request: OutboundRequest, lifted: boolean): Promise<OutboundResult>;
}

/** A keyed request whose outcome is not known yet. */
export interface RunningCreate {
  readonly fingerprint: string;
  readonly wait: HeadWait;
}

export interface ProxyDeps {
  readonly streams: StreamService;
  readonly store: ProxyStore;
  /** Why a response could not be stored now: nothing is sent then. Hosts that cannot tell return undefined. */
  storeFault(): Promise<SondeError | undefined>;
  readonly outbound: UpstreamClient;
  readonly allowlist: Allowlist;
  readonly signedUrls: SignedUrls;
  readonly timers: Timers;
  /** By which responses, keys and signed URLs end. */
  readonly lifetime: LifetimeClock;
  readonly redactor: Redactor;
  readonly log: Log;
  readonly settings: ProxySettings;
  readonly pumps: RunningPumps;
  /** Keyed requests in progress in this process, by the digest of the key. */
  readonly creating: Map<string, RunningCreate>;
  newId(nowMs: number): string;
  readonly share: TenantShare;
  /** False if calls without a key are stored only once they have a response or have failed. */
  readonly notesUnkeyed: boolean;
  /** By tenant: calls without a response head since the oldest ones were last removed. */
  readonly headless: CountMap;
  onUnkeyedRetry(): void;
  readonly opening: OpenRequests;
}
