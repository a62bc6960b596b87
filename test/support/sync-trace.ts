/**
 * Reads the strace output of a server (`-f -yy`, full strings) and decides whether everything that left on a socket was
 * on disk before: each record's first write to the write-ahead log must be followed by a sync of that log that started
 * after the write had ended and succeeded before the record was acknowledged or shown.
 *
 * Records and acknowledgements are found by their marks: a record contains `rec-<n>;`, and its request has the id
 * `ack-<n>.`, which the response repeats.
 */

interface SystemCall {
  readonly name: string;
  /** Lines of the trace, in the order in which the tracer saw them. */
  readonly begun: number;
  readonly ended: number;
  readonly args: string;
  readonly ok: boolean;
}

export interface Leak {
  readonly mark: string;
  readonly how: 'acknowledged' | 'shown';
  readonly line: number;
}

export interface SyncProof {
  /** Marks that were acknowledged and, separately, shown, each counted once. */
  readonly acknowledged: ReadonlySet<string>;
  readonly shown: ReadonlySet<string>;
  /** Successful syncs of the log. */
  readonly syncs: number;
  /** Calls that the tracer made fail. */
  readonly injected: number;
  readonly leaks: readonly Leak[];
}

const WHOLE = /^(\d+)\s+(\w+)\((.*)\)\s+=\s+(-?\d+)(.*)$/s;
const BEGUN = /^(\d+)\s+(\w+)\((.*?)\s*<unfinished \.\.\.>$/s;
const RESUMED = /^(\d+)\s+<\.\.\. (\w+) resumed>(.*)\)\s+=\s+(-?\d+)(.*)$/s;
const SYNCS = new Set(['fsync', 'fdatasync']);
const RECORD = /rec-\d+;/g;
const ACK = /ack-\d+\./g;

export function proveSyncs(trace: string): SyncProof {
  const calls = readCalls(trace);
  const durable = durableFrom(calls);
  const acknowledged = new Set<string>();
  const shown = new Set<string>();
  const leaks: Leak[] = [];
  for (const call of calls) {
    if (!/^\d+<TCP/.test(call.args)) continue;
    const note = (how: Leak['how'], mark: string) => {
      (how === 'acknowledged' ? acknowledged : shown).add(mark);
      const since = durable.get(mark);
      if (since === undefined || since > call.begun) leaks.push({ mark, how, line: call.begun + 1 });
    };
    if (/HTTP\/1\.1 20[04]/.test(call.args))
      for (const [text] of call.args.matchAll(ACK)) note('acknowledged', `rec-${text.slice(4, -1)};`);
    for (const [mark] of call.args.matchAll(RECORD)) note('shown', mark);
  }
  return {
    acknowledged,
    shown,
    leaks,
    syncs: calls.filter(isLogSync).length,
    injected: trace.split('(INJECTED)').length - 1,
  };
}

/** Returns the line from which on each record was synced. */
function durableFrom(calls: readonly SystemCall[]): Map<string, number> {
  const log = new LogRecords();
  for (const call of [...calls].sort((a, b) => a.ended - b.ended)) {
    if (!isLog(call)) continue;
    if (isLogSync(call)) log.synced(call);
    else if (SYNCS.has(call.name)) log.failed();
    else if (call.ok && call.name.startsWith('pwrite')) log.wrote(call);
  }
  return log.durable;
}

class LogRecords {
  readonly durable = new Map<string, number>();
  readonly #seen = new Set<string>();
  /** Written, with no sync started since. */
  #fresh: { readonly mark: string; readonly ended: number }[] = [];

  /** Pages are rewritten with every record that joins them; only the first write counts. */
  wrote({ args, ended }: SystemCall): void {
    for (const [mark] of args.matchAll(RECORD)) {
      if (!this.#seen.has(mark)) this.#fresh.push({ mark, ended });
      this.#seen.add(mark);
    }
  }

  synced({ begun, ended }: SystemCall): void {
    for (const { mark, ended: written } of this.#fresh) if (written < begun) this.durable.set(mark, ended);
    this.#fresh = this.#fresh.filter(({ ended: written }) => written >= begun);
  }

  /** What a failed sync should have covered must be written again: a later sync proves nothing about it. */
  failed(): void {
    for (const { mark } of this.#fresh) this.#seen.delete(mark);
    this.#fresh = [];
  }
}

function isLog({ args }: SystemCall): boolean {
  return /^\d+<[^>]*-wal>/.test(args);
}

function isLogSync(call: SystemCall): boolean {
  return SYNCS.has(call.name) && call.ok && isLog(call);
}

function readCalls(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, { name: string; args: string; begun: number }>();
  for (const [line, text] of trace.split('\n').entries()) {
    const whole = WHOLE.exec(text);
    const begun = whole ? null : BEGUN.exec(text);
    const resumed = whole || begun ? null : RESUMED.exec(text);
    if (whole) {
      const [, , name = '', args = '', result, rest = ''] = whole;
      calls.push({ name, begun: line, ended: line, args, ok: isOk(result, rest) });
    } else if (begun) {
      const [, thread = '', name = '', args = ''] = begun;
      open.set(thread, { name, args, begun: line });
    } else if (resumed) {
      const [, thread = '', , more = '', result, rest = ''] = resumed;
      const call = open.get(thread);
      open.delete(thread);
      if (call) calls.push({ ...call, args: call.args + more, ended: line, ok: isOk(result, rest) });
    }
  }
  return calls;
}

/** A call that the tracer answered instead of the kernel did nothing. */
function isOk(result: string | undefined, rest: string): boolean {
  return Number(result) >= 0 && !rest.includes('INJECTED');
}
