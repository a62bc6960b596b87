/**
 * What the command line needs from its runtime. Commands see nothing else of the machine, so that all
 * of them run in core, and a runtime decides how a server is started or a file is read.
 */
import type { AuditOptions, AuditReport, Rule } from '../audits/index.js';
import type { TextHash } from '../compare/index.js';
import type { Settings } from '../config/settings.js';
import type { Explainer } from '../explain/index.js';
import type { TenantStore } from '../jobs/index.js';
import type { Log } from '../log.js';
import type { CaseVerdict, EgressCase, HeaderList, UrlExplanation } from '../net/index.js';
import type { ISignalProvider } from '../probe/index.js';
import type { Scope } from '../scopes.js';

export interface Output {
  /** Resolves once the data has been handed on, so that a slow reader slows the writer down. */
  write(data: string | Uint8Array): Promise<void>;
  readonly isTTY: boolean;
  /** Bits of colour that the device shows; 1 is none. */
  readonly colourDepth: number;
  readonly columns: number;
}

export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opened by the first read only: a command that was not asked to filter stdin must not touch it. */
  stdin(): { readonly isTTY: boolean; readonly chunks: AsyncIterable<Uint8Array> };
}

export interface Files {
  exists(path: string): Promise<boolean>;
  /** UTF-8 text. Refuses with FILE_UNREADABLE, in one line that names the path, also above the bound. */
  readText(path: string, limits: { readonly bytesMax: number }): Promise<string>;
  /** Refuses with FILE_UNWRITABLE where the file could not be written. Leaves no new file behind. */
  checkWritable(path: string): Promise<void>;
  /** Piece by piece, for files that are read as they stream by. Refuses like `readText`. */
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /** Replaces a regular file as a whole; writes through links, pipes and terminals. Refuses with FILE_UNWRITABLE, in one line that names the path. */
  writeText(path: string, text: string): Promise<void>;
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT';

export interface RunningServer {
  readonly url: string;
  readonly loginUrl?: string;
  stop(): Promise<{ drained: boolean }>;
}

export interface BackupResult {
  readonly folder: string;
  readonly segments: number;
  /** For how long appends waited. */
  readonly pausedMs: number;
  /** Whether jobs are included; otherwise they are in another database. */
  readonly records: boolean;
}

export interface RunningWorker {
  stop(): Promise<void>;
}

export interface OpenTenants {
  readonly tenants: TenantStore;
  close(): Promise<void>;
}

/** A token of a tenant, or of the server's operator. */
export type TokenRequest = { readonly expiresInSeconds: number } & (
  | { readonly tenant: string; readonly scopes: readonly string[] }
  | { readonly operator: true }
);

export interface CompactedFile {
  readonly file: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export interface ServerCall {
  readonly method: string;
  /** With its query; begins with a slash. */
  readonly path: string;
  /** What a token that is made for the call may do. Without one, no credential is shown: the path itself is one. */
  readonly scope?: Scope | readonly Scope[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Failing statuses that are a response here, not an error. */
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
  /** The offset from which on its bytes are not what was written. */
  readonly damagedFrom?: string;
  /** Numbers of the segments that are not in storage. */
  readonly missing?: readonly number[];
  /** It is marked as damaged, but all of its bytes exist and verify. */
  readonly wronglyMarked?: true;
}

export interface RepairedStream {
  readonly id: string;
  readonly done: 'mark_cleared' | 'segment_given_up' | 'tail_cut_off' | 'nothing';
  readonly lostBytes: number;
  /** The offset from which on bytes were given up. */
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
  /** All rules without it. */
  readonly rules?: readonly Rule[];
  readonly signal: AbortSignal;
  progress(event: { readonly percent: number; readonly message: string }): void;
}

export type LocalHandler = (request: { readonly path: string }) => Response;

/** A server of ours on loopback. */
export interface LocalSite {
  readonly origin: string;
  close(): Promise<void>;
}

/** Providers on the egress layer, as configured. */
export interface ProbeClient {
  readonly provider: ISignalProvider;
  /** Present where a model is configured. */
  readonly explainer?: Explainer;
  /** The platform's own SHA-256 of a text, in hex. */
  readonly sha256: TextHash;
  /** The whole body of a 200 at a URL, within a bound. Rejects with a coded error for anything else. */
  fetchBytes(url: string, headers: HeaderList): Promise<Uint8Array>;
  /** Throws what a URL's text alone shows to be refused. */
  refuse(url: string): void;
  close(): Promise<void>;
}

export interface Runtime {
  /** The default export of a TypeScript module. Refuses with CONFIG_UNREADABLE, in one line. */
  importConfig(path: string): Promise<unknown>;
  createLog(settings: Settings): Promise<Log>;
  /** `demo`: also start the demo. Refuses with USAGE where there can be none. */
  startServer(
    settings: Settings,
    options: { readonly log: Log; readonly demo: boolean },
  ): Promise<RunningServer>;
  /** Runs jobs of a shared database until it is stopped; refuses with USAGE where none is named. */
  startWorker(settings: Settings, log: Log): Promise<RunningWorker>;
  openTenants(settings: Settings, log: Log): Promise<OpenTenants>;
  mintToken(settings: Settings, request: TokenRequest): Promise<string>;
  /** A link that logs a browser in once. Refuses with USAGE where there is nothing to log in to. */
  loginLink(settings: Settings): Promise<string>;
  /** Judges by the configured policy; DNS is queried only if no addresses are given. */
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
  /** A page of the documentation that comes with the program, by its path below docs/. Refuses with FILE_UNREADABLE. */
  readDocs(page: string): Promise<string>;
  /** Reads every stored byte of a data folder that no server uses. */
  verifyStreams(settings: Settings): AsyncIterable<VerifiedStream>;
  repairStreams(settings: Settings, options: RepairOptions): AsyncIterable<RepairedStream>;
  /** Into a new or empty folder; beside a running server. */
  backup(settings: Settings, folder: string): Promise<BackupResult>;
  /** Refused while a server uses the data folder. */
  compact(settings: Settings): Promise<readonly CompactedFile[]>;
  /**
   * From now on the first stop signal resolves this instead of ending the process. A second one ends
   * the process at once.
   */
  claimStopSignal(): Promise<StopSignal>;
}

export interface CliPorts {
  readonly terminal: Terminal;
  readonly files: Files;
  readonly runtime: Runtime;
}
