import { EQUIVALENT_IN_REDACT } from './equivalent-in-redact.mjs';

const TABLE = 'A larger table holds nothing more.';
const CACHE = 'Only a cache: without it the same is worked out again.';
const FILTER = 'Only a filter before the look-up: any hash serves, as long as it is the same on both sides.';
const AT_TAIL = 'At the tail, a read that is begun early has no bytes.';
const EMPTY_PIECE = 'An empty piece adds nothing; without it a single piece is not copied.';
const COMPILER = 'For the compiler: it has been made sure before.';
const NEWS = 'Only saves a check that finds nothing changed.';
const SHORTCUT = 'Only a shortcut: what follows finds nothing either.';
const TURNS = 'Only how often other requests get their turn in between.';

/**
 * Mutants without a visible effect, each with the reason. The key is what `npm run mutants` prints: file, owner and
 * change, without the line. They are neither run nor counted.
 * @type {ReadonlyMap<string, string>}
 */
export const EQUIVALENT = new Map([
  ['src/api/auth/loopback-host.ts isLoopbackHost: results.set(host, isLoopback); → nothing', CACHE],
  ['src/api/auth/loopback-host.ts RESULTS_MAX: 100 → 200', CACHE],
  ['src/api/auth/loopback-host.ts isLoopbackHost: results.size < RESULTS_MAX → true', CACHE],
  ['src/api/auth/loopback-host.ts isLoopbackHost: results.size < RESULTS_MAX → false', CACHE],
  [
    'src/api/auth/loopback-host.ts isLoopbackHost: results.size < RESULTS_MAX → results.size <= RESULTS_MAX',
    CACHE,
  ],
  ['src/api/auth/loopback-host.ts isLoopbackHost: cached !== undefined → false', CACHE],
  [
    'src/api/auth/verify-jwt.ts createJwtVerifier: secret ?? hmacKey(key.secret) → hmacKey(key.secret)',
    'The same bytes, worked out again for each token.',
  ],
  [
    'src/jobs/lease-keeper.ts #renewNext: true → false',
    'It is called only while all leases are due, and that stays so.',
  ],
  [
    'src/jobs/job-worker.ts JobWorker: false → true',
    'A wake and a claim set these fields before anything reads them.',
  ],
  ['src/jobs/settle-job.ts lastEvent: 100 → 200', 'A percentage is bounded to 100.'],
  [
    "src/jobs/run-held-job.ts runHeldJob: held.state = 'over'; → nothing",
    'The job is not held by anyone any more; nothing reads its state.',
  ],
  [
    'src/net/body.ts concatBytes: pieces.length === 1 && only → pieces.length === 1',
    'The second half is for the compiler: a list of one has a first.',
  ],
  [
    'src/net/redact/private-key-blocks.ts maskPutty: lines < 0 → lines <= 0',
    'A line break behind the words can never be the first character.',
  ],
  ['src/net/redact/key-before.ts afterEntity: 6 → 7', 'The pattern takes six characters at most.'],
  [
    'src/stores/postgres/postgres-job-store.ts settle: open.length > 0 → true',
    'Only saves a query that finds nothing.',
  ],
  [
    'src/stores/sqlite/prepare-schema.ts prepareSchema: found !== undefined && found > version → found > version',
    'The first half is for the compiler: nothing is above a version that is not there.',
  ],
  ['src/streams/subscriptions/wake-runner.ts #schedule: desk.scheduled → false', NEWS],
  ['src/streams/subscriptions/wake-runner.ts #schedule: return; → nothing', NEWS],
  ['src/streams/subscriptions/wake-runner.ts #schedule: desk.scheduled = true; → nothing', NEWS],
  ['src/streams/subscriptions/wake-runner.ts #schedule: true → false', NEWS],
  [
    'src/streams/subscriptions/wake-runner.ts #check: at < paths.length → at <= paths.length',
    'A step without streams does nothing.',
  ],
  [
    "src/streams/subscriptions/decide-wake.ts refusalOf: state.phase !== 'idle' && state.generation === event.generation → state.generation === event.generation",
    'For the compiler: without a wake there is no id to compare.',
  ],
  ["src/streams/subscriptions/decide-wake.ts lease: state.phase === 'idle' → false", COMPILER],
  ["src/streams/subscriptions/settle-wake.ts claimWake: record.wake.phase !== 'leased' → false", COMPILER],
  [
    "src/streams/subscriptions/settle-wake.ts claimWake: throw new Error('a claimed subscription is not leased'); → nothing",
    COMPILER,
  ],
  [
    'src/streams/subscriptions/settle-wake.ts holderOf: !token || !record → !record',
    'For the compiler: without a token no record is read.',
  ],
  [
    "src/streams/subscriptions/settle-wake.ts readEntries: token.kind !== 'at' || token.hash !== stream.hash → token.hash !== stream.hash",
    'For the compiler: the other kinds have no hash.',
  ],
  [
    'src/streams/subscriptions/deliver-wake.ts announceWake: 1 → 2',
    'Of several rows only the first is used.',
  ],
  [
    'src/streams/subscriptions/secret-box.ts webCipher: false → true',
    'The key is never given out, extractable or not.',
  ],
  [
    'src/streams/subscriptions/subscription-service.ts #all: !last || page.length < PAGE → page.length < PAGE',
    'For the compiler: a full page has a last row.',
  ],
  ['src/streams/json-messages.ts PIECE_BYTES: 64 → 65', TURNS],
  ['src/streams/json-messages.ts PIECE_BYTES: 1024 → 2048', TURNS],
  [
    'src/streams/json-messages.ts endOfMessage: i < record.length → i <= record.length',
    'Behind the last byte there is no comma.',
  ],
  [
    'src/streams/json-messages.ts skipString: i < bytes.length → i <= bytes.length',
    'Both results lie behind the record, where the search ends.',
  ],
  ['src/streams/json-scan.ts JsonScan: 0 → 1', 'Set before it is read; the compiler requires a value.'],
  ['src/streams/ticker.ts Ticker: 0 → 1', 'Ticks are only compared with one another.'],
  ['src/streams/create-stream.ts randomHash: 16 → 17', 'Any base gives a random number.'],
  ['src/streams/fork-point.ts pointInside: 1 → 2', 'Only the first record is used.'],
  ['src/streams/follow-sse.ts followSse: 0 → 1', AT_TAIL],
  ['src/streams/follow-sse.ts followSse: comparePositions(from, state.tail) < 0 → true', AT_TAIL],
  [
    'src/streams/follow-sse.ts followSse: comparePositions(from, state.tail) < 0 → comparePositions(from, state.tail) <= 0',
    AT_TAIL,
  ],
  ['src/streams/refuse-forged.ts refuseForged: 1 → 2', 'More bytes show the same end of a record.'],
  [
    'src/streams/read-plan.ts lineUpTo: comparePositions(ancestor.until, point) <= 0 → comparePositions(ancestor.until, point) < 0',
    'Both are the same position then.',
  ],
  ['src/streams/read-spans.ts fetchSpan: 0 → 1', 'Nobody waits for what follows the last span.'],
  ['src/streams/read-spans.ts fetchSpan: !span → false', 'Nobody waits for what follows the last span.'],
  [
    'src/streams/read-timing.ts readTiming: found.at(-1)?.end ?? span.hi → found.at(-1)?.end',
    'The second half is for the compiler: a span has a record.',
  ],
  [
    'src/streams/seal-chunk.ts readRecords: !last || some.length < PART_RECORDS → some.length < PART_RECORDS',
    'The first half is for the compiler: a full part has a last record.',
  ],
  [
    'src/streams/sse-frames.ts textLines: i < bytes.length → i <= bytes.length',
    'Behind the last byte there is no line break.',
  ],
  [
    'src/streams/sse-frames.ts base64: i < bytes.length → i <= bytes.length',
    'A write behind the end of a typed array is ignored.',
  ],
  ['src/streams/media-type.ts essenceOf: known !== undefined → false', CACHE],
  ['src/streams/media-type.ts essenceOf: essences.set(contentType, essence); → nothing', CACHE],
  ['src/streams/media-type.ts ESSENCES_KEPT: 100 → 200', CACHE],
  ['src/streams/media-type.ts TYPE_CHARS_KEPT: 200 → 400', CACHE],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT → true',
    CACHE,
  ],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT → false',
    CACHE,
  ],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT → essences.size < ESSENCES_KEPT',
    CACHE,
  ],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT → contentType.length <= TYPE_CHARS_KEPT',
    CACHE,
  ],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT → essences.size <= ESSENCES_KEPT',
    CACHE,
  ],
  [
    'src/streams/media-type.ts essenceOf: contentType.length <= TYPE_CHARS_KEPT → contentType.length < TYPE_CHARS_KEPT',
    CACHE,
  ],
  [
    String.raw`src/streams/expiry.ts DATE_TIME: /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/ → /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)/`,
    'The parser of dates refuses anything behind the zone too.',
  ],
  [
    'src/stores/sqlite/sqlite-stream-store.ts #row: this.#allTailsChecked → false',
    'Only saves a check that was made and found nothing.',
  ],
  [
    'src/stores/sqlite/sqlite-job-store.ts overview: 1 → 2',
    'Any time that is still to come stands for "none".',
  ],
  ['src/workflows/audit-site.ts #sitemaps: 1 → 2', 'The parts of an audit only need names that differ.'],
  ['src/workflows/compare-suite.ts comparePaths: 1 → 2', 'No path has a negative number.'],
  ['src/workflows/audit-site.ts #sitemaps: 0 → 1', 'The parts of an audit only need names that differ.'],
  ['src/net/redact/keyed-values.ts interesting: 128 → 256', TABLE],
  ['src/net/redact/bare-value.ts stoppers: 128 → 256', TABLE],
  ['src/net/redact/bare-value.ts bareEnd: 127 → 254', TABLE],
  ['src/net/redact/char-classes.ts table: 128 → 256', TABLE],
  ['src/net/redact/char-classes.ts isWord: code < 128 && WORD[code] === 1 → WORD[code] === 1', TABLE],
  [
    'src/net/redact/char-classes.ts isBase64Url: code < 128 && BASE64URL[code] === 1 → BASE64URL[code] === 1',
    TABLE,
  ],
  [
    'src/compare/suite/baseline.ts applyBaseline: entry.expires !== undefined && entry.expires < today → entry.expires < today',
    'For the compiler: undefined is not less than a date.',
  ],
  [
    'src/compare/origin-map.ts isTwin: at < 0 → at <= 0',
    'Only a shortcut: a text that begins with a host is mapped the long way.',
  ],
  ['src/stores/sqlite/sqlite-job-store.ts reap: false → true', 'Only the writes of a holder depend on it.'],
  ['src/stores/sqlite/sqlite-job-store.ts cancel: false → true', 'Only the writes of a holder depend on it.'],
  ['src/stores/sqlite/sqlite-job-store.ts retry: false → true', 'Only the writes of a holder depend on it.'],
  [
    "src/stores/sqlite/sqlite-job-store.ts reap: verdict.kind !== 'moves' → false",
    'For the compiler: a running job always moves when its lease expires.',
  ],
  [
    'src/stores/sqlite/sqlite-job-store.ts #getExisting: throw new Error(`the job \u0024{jobId} disappeared while it was being changed`); → nothing',
    'Cannot happen: the job was read in the same transaction.',
  ],
  [
    'src/stores/sqlite/sqlite-job-store.ts SELECT_DELAYED_AHEAD: `SELECT job_id FROM ( SELECT job_id, queued_at, run_at FROM audit_jobs WHERE \u0024{DELAYED} AND run_at > ? ORDER BY run_at DESC LIMIT ? ) WHERE queued_at > ? OR run_at > ?` → `SELECT job_id FROM ( SELECT job_id, queued_at, run_at FROM audit_jobs WHERE \u0024{DELAYED} AND run_at >= ? ORDER BY run_at DESC LIMIT ? ) WHERE queued_at > ? OR run_at > ?`',
    'Neither outer condition holds for a job that may run now.',
  ],
  [
    'src/stores/sqlite/claim-jobs.ts claimFairly: request.after ?? FIRST → request.after',
    'Nothing comes after null, and the second round then begins with the first tenant.',
  ],
  [
    'src/stores/sqlite/claim-jobs.ts take: chosen.length === 0 → false',
    'Only saves statements that find nothing.',
  ],
  [
    'src/stores/sqlite/list-jobs.ts compareNewestFirst: a.jobId < b.jobId → a.jobId <= b.jobId',
    'No job is listed twice.',
  ],
  ['src/stores/sqlite/list-jobs.ts compareNewestFirst: 1 → 2', 'Only the sign counts.'],
  ['src/stores/sqlite/sqlite-subscription-store.ts #stepFrom: 1 → 2', 'It only counts whether there is one.'],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts #stepFrom: verdict.state !== wake → true',
    'Only saves a write of what is there.',
  ],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts #saveChecks: seen !== link → true',
    'Only saves a write of what is there.',
  ],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts seenOn: comparePositions(stream.tail, link.stream.tail) > 0 → comparePositions(stream.tail, link.stream.tail) >= 0',
    'A stream with the same hash and tail is the same.',
  ],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts #acknowledge: link && !why → !why',
    'For the compiler: an unknown link has a fault.',
  ],
  [
    'src/stores/sqlite/sqlite-subscription-store.ts #acknowledge: acks.strict && why → acks.strict',
    'For the compiler: an ack that does not apply has a fault.',
  ],
  [
    'src/stores/sqlite/prepare-schema.ts readVersion: found > version → found >= version',
    'Data of the same version is never refused.',
  ],
  [
    'src/stores/sqlite/sqlite-job-store.ts #getExisting: !job → false',
    'Cannot happen: the job was read in the same transaction.',
  ],
  [
    'src/stores/sqlite/sqlite-stream-store.ts flush: row && this.#ended.has(id) → this.#ended.has(id)',
    'For the compiler: a row that must be written is in memory.',
  ],
  [
    'src/proxy/pump.ts #mustWait: this.#isPaced → false',
    'Only saves setting the same timer again with each chunk.',
  ],
  ['src/proxy/pump.ts #take: rest.length > 0 → true', EMPTY_PIECE],
  ['src/proxy/pump.ts #take: rest.length > 0 → rest.length >= 0', EMPTY_PIECE],
  [
    'src/proxy/head-wait.ts HeadWait: this.#orphan → true',
    'For the compiler: without a policy nothing is watched.',
  ],
  [
    'src/proxy/head-proxy.ts headProxy: response.state ?? found → response.state',
    'For the compiler: the head of a stream has its state.',
  ],
  [
    'src/proxy/open-upstream.ts openUpstream: !result.ok && request.body instanceof StreamedBody → !result.ok',
    'For the compiler: other bodies have no fault.',
  ],
  [
    "src/proxy/record-upstream.ts resultOf: body?.kind === 'bytes' → true",
    'For the compiler: a response without an error has its bytes.',
  ],
  [
    'src/proxy/record-upstream.ts resultOf: 0 → 1',
    'For the compiler: a response without an error has its bytes.',
  ],
  [
    'src/proxy/signed-url.ts sameText: i < expected.length → i <= expected.length',
    'Behind the end there is no bit that could differ.',
  ],
  [
    'src/proxy/inline-proxy.ts responseOf: held && { held } → {}',
    'Only saves reading the same bytes from the store.',
  ],
  [
    'src/proxy/open-upstream.ts openUpstream: request.body instanceof StreamedBody → true',
    'For the compiler: other bodies have no fault and report nothing.',
  ],
  [
    'src/proxy/read-proxy.ts readProxy: response.state ?? found → response.state',
    'For the compiler: a read that is not live has its state.',
  ],
  ['src/proxy/read-proxy.ts callOf: 0 → 1', 'The body of a read is never read.'],
  [
    'src/proxy/read-proxy.ts withCoding: coding === undefined → false',
    'A header without a value is not sent.',
  ],
  [
    'src/net/redact/quotes.ts encodedClose: at < 0 → at <= 0',
    'Behind a key, no value begins at the first character.',
  ],
  ['src/net/redact/quotes.ts encodedClose: 0 → 1', 'Behind a key, no value begins at the first character.'],
  ['src/net/redact/redactor.ts createRedactor: redacted === input → false', CACHE],
  [
    'src/net/redact/live-secrets.ts mask: this.#secrets.size > 0 → this.#secrets.size >= 0',
    'Without secrets there is nothing to find.',
  ],
  [
    'src/net/redact/connection-string.ts restOfString: at < text.length → at <= text.length',
    'Behind the end there is nothing to slice.',
  ],
  ['src/net/redact/classify-key.ts classifyKey: known !== undefined → false', CACHE],
  ['src/net/redact/classify-key.ts classifyKey: remembered.set(key, kind); → nothing', CACHE],
  [
    'src/workflows/audit-site.ts #sitemaps: at += 1 → at -= 1',
    'The parts of an audit only need names that differ.',
  ],
  [
    'src/workflows/compare-environments.ts loadHistory: 1 → 2',
    'One row more than is needed is read, and cut off again.',
  ],
  [
    'src/workflows/compare-environments.ts diffOf: deps.sha256 && { sha256: deps.sha256 } → {}',
    'The same digest, only slower.',
  ],
  ['src/net/redact/form-index.ts FILTER_SIZE: 1 → 2', FILTER],
  ['src/net/redact/form-index.ts FILTER_SIZE: 16 → 17', FILTER],
  ['src/net/redact/form-index.ts mask: this.#filter[hash(text, at)] !== 1 → false', FILTER],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 + text.charCodeAt(at + 4) * 131 + text.charCodeAt(at + 5) * 32_749 → text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 + text.charCodeAt(at + 4) * 131 - text.charCodeAt(at + 5) * 32_749',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 + text.charCodeAt(at + 4) * 131 → text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 - text.charCodeAt(at + 4) * 131',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 + text.charCodeAt(at + 2) * 7_919 → text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 - text.charCodeAt(at + 2) * 7_919',
    FILTER,
  ],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 + text.charCodeAt(at + 1) * 1_021 → text.charCodeAt(at) * 31 - text.charCodeAt(at + 1) * 1_021',
    FILTER,
  ],
  ['src/net/redact/form-index.ts hash: text.charCodeAt(at) * 31 → text.charCodeAt(at) / 31', FILTER],
  ['src/net/redact/form-index.ts hash: 31 → 32', FILTER],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at + 1) * 1_021 → text.charCodeAt(at + 1) / 1_021',
    FILTER,
  ],
  ['src/net/redact/form-index.ts hash: 1 → 2', FILTER],
  ['src/net/redact/form-index.ts hash: 1_021 → 2042', FILTER],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at + 2) * 7_919 → text.charCodeAt(at + 2) / 7_919',
    FILTER,
  ],
  ['src/net/redact/form-index.ts hash: 2 → 3', FILTER],
  ['src/net/redact/form-index.ts hash: 7_919 → 15838', FILTER],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at + 4) * 131 → text.charCodeAt(at + 4) / 131',
    FILTER,
  ],
  ['src/net/redact/form-index.ts hash: 4 → 5', FILTER],
  ['src/net/redact/form-index.ts hash: 131 → 262', FILTER],
  [
    'src/net/redact/form-index.ts hash: text.charCodeAt(at + 5) * 32_749 → text.charCodeAt(at + 5) / 32_749',
    FILTER,
  ],
  ['src/net/redact/form-index.ts hash: 32_749 → 65498', FILTER],
  ['src/net/redact/classify-key.ts REMEMBERED_MAX: 4096 → 8192', CACHE],
  ['src/net/redact/classify-key.ts classifyKey: remembered.size >= REMEMBERED_MAX → true', CACHE],
  [
    'src/net/redact/classify-key.ts classifyKey: remembered.size >= REMEMBERED_MAX → remembered.size > REMEMBERED_MAX',
    CACHE,
  ],
  ['src/audits/extract/link-targets.ts REMEMBERED_MAX: 10_000 → 20000', CACHE],
  ['src/audits/extract/link-targets.ts of: known !== undefined → false', CACHE],
  [
    'src/audits/extract/link-targets.ts of: this.#remembered(href) ?? this.#resolved(href) → this.#resolved(href)',
    CACHE,
  ],
  ['src/audits/extract/link-targets.ts of: this.#known.set(href, target); → nothing', CACHE],
  [
    "src/audits/extract/link-targets.ts #remembered: href.startsWith('/') && this.#origin !== null → true",
    CACHE,
  ],
  [
    "src/audits/extract/link-targets.ts #remembered: href.startsWith('/') && this.#origin !== null → false",
    CACHE,
  ],
  [
    "src/audits/extract/link-targets.ts #remembered: href.startsWith('/') && this.#origin !== null → this.#origin !== null",
    CACHE,
  ],
  ["src/audits/extract/link-targets.ts #remembered: href.startsWith('/') → href.endsWith('/')", CACHE],
  ['src/audits/extract/link-targets.ts #remembered: this.#origin + href → this.#origin - href', CACHE],
  ['src/audits/extract/link-targets.ts #resolved: remember(this.#origin + href, target); → nothing', CACHE],
  ['src/audits/extract/link-targets.ts #resolved: this.#origin + href → this.#origin - href', CACHE],
  [
    "src/audits/extract/link-targets.ts #resolved: href.startsWith('/') && this.#origin !== null → true",
    CACHE,
  ],
  [
    "src/audits/extract/link-targets.ts #resolved: href.startsWith('/') && this.#origin !== null → false",
    CACHE,
  ],
  [
    "src/audits/extract/link-targets.ts #resolved: href.startsWith('/') && this.#origin !== null → this.#origin !== null",
    CACHE,
  ],
  ["src/audits/extract/link-targets.ts #resolved: href.startsWith('/') → href.endsWith('/')", CACHE],
  ['src/audits/extract/link-targets.ts remember: remembered.size >= REMEMBERED_MAX → true', CACHE],
  [
    'src/audits/extract/link-targets.ts remember: remembered.size >= REMEMBERED_MAX → remembered.size > REMEMBERED_MAX',
    CACHE,
  ],
  ['src/audits/extract/link-targets.ts remember: remembered.set(key, target); → nothing', CACHE],
  ['src/audits/site-domain.ts CACHE_MAX: 10_000 → 20000', CACHE],
  ['src/audits/site-domain.ts siteDomain: known !== undefined → false', CACHE],
  ['src/audits/site-domain.ts siteDomain: cache.size >= CACHE_MAX → true', CACHE],
  ['src/audits/site-domain.ts siteDomain: cache.size >= CACHE_MAX → cache.size > CACHE_MAX', CACHE],
  ['src/audits/site-domain.ts siteDomain: cache.set(url.host, domain); → nothing', CACHE],
  ['src/audits/rules/link-generic-text.ts JUDGED_MAX: 5_000 → 10000', CACHE],
  ['src/audits/rules/link-generic-text.ts isGeneric: known !== undefined → false', CACHE],
  ['src/audits/rules/link-generic-text.ts isGeneric: judged.size >= JUDGED_MAX → true', CACHE],
  [
    'src/audits/rules/link-generic-text.ts isGeneric: judged.size >= JUDGED_MAX → judged.size > JUDGED_MAX',
    CACHE,
  ],
  ['src/audits/rules/link-generic-text.ts isGeneric: judged.set(text, generic); → nothing', CACHE],
  [
    'src/audits/extract/css-references.ts references: this.#at < this.#css.length → this.#at <= this.#css.length',
    'Behind the end there is nothing to read.',
  ],
  [
    "src/audits/extract/css-references.ts #step: (character === 'u' || character === 'U') && this.#startsWith('url(') → this.#startsWith('url(')",
    'The first half only saves a comparison.',
  ],
  [
    'src/audits/extract/css-references.ts #unquoted: end < 0 → end <= 0',
    'Behind url( nothing is found at the first character.',
  ],
  [
    'src/audits/extract/css-references.ts #unquoted: 0 → 1',
    'Behind url( nothing is found at the first character.',
  ],
  [
    'src/audits/extract/css-references.ts #quoted: this.#at < this.#css.length → this.#at <= this.#css.length',
    'Behind the end there is nothing to read.',
  ],
  [
    'src/audits/extract/css-references.ts #skipComment: end < 0 → end <= 0',
    'Behind /* nothing is found at the first character, and behind the end there is nothing to read.',
  ],
  [
    'src/audits/extract/css-references.ts #skipComment: 0 → 1',
    'Behind /* nothing is found at the first character, and behind the end there is nothing to read.',
  ],
  [
    'src/audits/extract/css-references.ts #skipComment: this.#css.length - this.#at → this.#css.length + this.#at',
    'Behind /* nothing is found at the first character, and behind the end there is nothing to read.',
  ],
  ['src/audits/extract/text-facts.ts kinds: 65_536 → 131072', TABLE],
  ['src/audits/extract/text-facts.ts kindOf: kinds[unit] || learn(unit) → learn(unit)', CACHE],
  ['src/audits/extract/text-facts.ts learn: kinds[unit] = kind; → nothing', CACHE],
  ['src/audits/extract/text-facts.ts hashes: 16_384 → 32768', TABLE],
  ['src/audits/extract/text-facts.ts scanWords: hashes.length < text.length → true', TABLE],
  [
    'src/audits/extract/text-facts.ts scanWords: hashes.length < text.length → hashes.length <= text.length',
    TABLE,
  ],
  ['src/audits/extract/text-facts.ts PLANES: 24 → 25', TABLE],
  [
    'src/audits/extract/text-facts.ts ripple: carry !== 0 && plane < PLANES → carry !== 0',
    'No text has so many words that a carry leaves the highest plane.',
  ],
  [
    'src/audits/extract/text-facts.ts ripple: carry !== 0 && plane < PLANES → plane < PLANES',
    'No text has so many words that a carry leaves the highest plane.',
  ],
  [
    'src/audits/extract/text-facts.ts ripple: plane < PLANES → plane <= PLANES',
    'No text has so many words that a carry leaves the highest plane.',
  ],
  [
    'src/audits/extract/text-facts.ts above: PLANES - 1 → PLANES + 1',
    'No text has so many words that a carry leaves the highest plane.',
  ],
  ['src/workflows/end-row.ts endSuite: 1 → 2', 'No path has a negative number.'],
  [
    'src/net/redact/char-classes.ts skipRun: at < text.length → at <= text.length',
    'Behind the end no character is of any class.',
  ],
  ['src/net/redact/cookie-value.ts maskCookies: at < end → at <= end', 'Behind the end there is no cookie.'],
  [
    'src/net/redact/classify-key.ts classifyKey: name.length > NAME_MAX → name.length >= NAME_MAX',
    'The last 128 of 128 characters are all of them.',
  ],
  [
    'src/net/redact/form-index.ts remove: group === undefined || count === undefined → group === undefined',
    'A form that is not there is not removed either way.',
  ],
  ...EQUIVALENT_IN_REDACT,
]);
