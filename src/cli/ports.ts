/**
 * The ports of the command line to its runtime. Commands reach the machine only through them, so commands need no
 * platform types, and the runtime decides how to start a server or read a file.
 */
import type { AuditOptions, AuditReport, Rule } from '../audits/index.js';
import type { TextHash } from '../compare/index.js';
import type { Settings } from '../config/settings.js';
import type { Explainer } from '../explain/index.js';
import type { TenantStore } from '../jobs/index.js';
import type { Log } from '../log.js';
import type { CaseVerdict, EgressCase, HeaderList, UrlExplanation } from '../net/index.js';
import type { ISignalProvider } from '../probe/index.js';
import type { RouteClaims } from '../route-claims.js';
import type { Scope } from '../scopes.js';

export interface Output {
  /** Resolves once the data was passed on, so that a slow reader slows down the writer. */
  write(data: string | Uint8Array): Promise<void>;
  readonly isTTY: boolean;
  /** Colour depth of the device in bits; 1 means no colour. */
  readonly colourDepth: number;
  readonly columns: number;
}

export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opened on the first call: a command that does not read stdin must not touch it. */
  stdin(): { readonly isTTY: boolean; readonly chunks: AsyncIterable<Uint8Array> };
}

export interface Files {
  exists(path: string): Promise<boolean>;
  /** Reads UTF-8 text. Rejects with FILE_UNREADABLE, in one line that names the path, also above the limit. */
  readText(path: string, limits: { readonly bytesMax: number }): Promise<string>;
  /** Rejects with FILE_UNWRITABLE if the file could not be written. Leaves no new file behind. */
  checkWritable(path: string): Promise<void>;
  /** Reads a file in chunks, for files that are processed as a stream. Rejects like `readText`. */
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /**
   * Replaces a regular file atomically; follows links, and writes to pipes and terminals. Rejects with FILE_UNWRITABLE,
   * in one line that names the path.
   */
  writeText(path: string, text: string): Promise<void>;
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT' | 'SIGUSR2';

export interface RunningServer {
  readonly url: string;
  readonly loginUrl?: string;
  stop(): Promise<{ drained: boolean }>;
}

export interface BackupResult {
  readonly folder: string;
  readonly segments: number;
  /** How long appends had to wait. */
  readonly pausedMs: number;
  /** Whether jobs are included; if not, they are in another database. */
  readonly records: boolean;
}

export interface RunningWorker {
  /** Of its health and metrics, if it has a port. */
  readonly url?: string;
  stop(): Promise<void>;
}

export interface OpenTenants {
  readonly tenants: TenantStore;
  close(): Promise<void>;
}

/** A token for a tenant or for the server's operator. */
export type TokenRequest = { readonly expiresInSeconds: number } & (
  | ({ readonly tenant: string; readonly scopes: readonly string[] } & RouteClaims)
  | { readonly operator: true }
);

export interface CompactedFile {
  readonly file: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export interface ServerCall {
  readonly method: string;
  /** Includes the query; begins with a slash. */
  readonly path: string;
  /** The scope of a token that is minted for the call. If absent, no credential is sent: the path contains one. */
  readonly scope?: Scope | readonly Scope[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Error statuses that are returned instead of thrown. */
  readonly accepts?: readonly number[];
}

export interface ApiReply {
  readonly status: number;
  header(name: string): string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface VerifiedStream {
  readonly id: string;
  readonly bytes: number;
  /** The offset from which its bytes are damaged. */
  readonly damagedFrom?: string;
  /** Numbers of the segments that are missing from storage. */
  readonly missing?: readonly number[];
  /** The stream is marked as damaged, but all of its bytes are present and valid. */
  readonly wronglyMarked?: true;
}

export interface RepairedStream {
  readonly id: string;
  readonly done: 'mark_cleared' | 'segment_given_up' | 'tail_cut_off' | 'nothing';
  readonly lostBytes: number;
  /** The offset from which bytes were given up. */
  readonly from?: string;
  readonly left?: 'missing' | 'damaged';
}

export interface RepairOptions {
  readonly giveUpMissing: boolean;
  readonly cutDamaged: boolean;
}

export interface AuditRequest {
  readonly url: string;
  readonly options: Partial<AuditOptions>;
  /** All rules by default. */
  readonly rules?: readonly Rule[];
  readonly signal: AbortSignal;
  progress(event: { readonly percent: number; readonly message: string }): void;
}

export type LocalHandler = (request: { readonly path: string }) => Response;

/** A server of this process on loopback. */
export interface LocalSite {
  readonly origin: string;
  close(): Promise<void>;
}

/** Probes through the configured egress layer. */
export interface ProbeClient {
  readonly provider: ISignalProvider;
  /** Present if a model is configured. */
  readonly explainer?: Explainer;
  /** SHA-256 of a text in hex, by the platform's own implementation. */
  readonly sha256: TextHash;
  /** Fetches a body up to a size limit. Rejects with a coded error unless the status is 200. */
  fetchBytes(url: string, headers: HeaderList): Promise<Uint8Array>;
  /** Throws if the egress policy refuses the URL by its text alone. */
  refuse(url: string): void;
  close(): Promise<void>;
}

export interface Runtime {
  /** Resolves to the default export of a TypeScript module. Rejects with CONFIG_UNREADABLE, in one line. */
  importConfig(path: string): Promise<unknown>;
  createLog(settings: Settings): Promise<Log>;
  /** With `demo`, also starts the demo. Rejects with USAGE if the demo is not possible. */
  startServer(
    settings: Settings,
    options: { readonly log: Log; readonly demo: boolean },
  ): Promise<RunningServer>;
  /** Runs jobs of a shared database until it is stopped. Rejects with USAGE if no database is configured. */
  startWorker(settings: Settings, log: Log): Promise<RunningWorker>;
  openTenants(settings: Settings, log: Log): Promise<OpenTenants>;
  mintToken(settings: Settings, request: TokenRequest): Promise<string>;
  /** Creates a link that logs a browser in once. Rejects with USAGE if the server has no login. */
  loginLink(settings: Settings): Promise<string>;
  /** Checks a URL against the configured policy. DNS is only queried if no addresses are given. */
  checkUrl(settings: Settings, url: string, addresses?: readonly string[]): Promise<UrlExplanation>;
  listenLocally(respond: LocalHandler): Promise<LocalSite>;
  openProbes(settings: Settings): Promise<ProbeClient>;
  runEgressCase(test: EgressCase): Promise<CaseVerdict>;
  /** Calls the configured server with a token that has `scope`. Rejects with a coded error for any failing response. */
  callServer(settings: Settings, call: ServerCall): Promise<ApiReply>;
  /**
   * Audits a site in this process, without server or database. Rejects if the start URL does not respond. After an
   * abort it returns a partial report, unless nothing was recorded yet.
   */
  auditSite(settings: Settings, request: AuditRequest): Promise<AuditReport>;
  /** Reads a page of the bundled documentation by its path below docs/. Rejects with FILE_UNREADABLE. */
  readDocs(page: string): Promise<string>;
  /** Reads every stored byte of a data folder that no server uses. */
  verifyStreams(settings: Settings): AsyncIterable<VerifiedStream>;
  repairStreams(settings: Settings, options: RepairOptions): AsyncIterable<RepairedStream>;
  /** Copies the data into a new or empty folder; the server may be running. */
  backup(settings: Settings, folder: string): Promise<BackupResult>;
  /** Rejects while a server uses the data folder. */
  compact(settings: Settings): Promise<readonly CompactedFile[]>;
  /**
   * From this call on, the first stop signal resolves the promise instead of ending the process. A second one ends the
   * process at once.
   */
  claimStopSignal(): Promise<StopSignal>;
}

export interface CliPorts {
  readonly terminal: Terminal;
  readonly files: Files;
  readonly runtime: Runtime;
}
