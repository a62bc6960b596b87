import { EQUIVALENT_IN_REDACT } from './equivalent-in-redact.mjs';
import { EQUIVALENT_IN_STORES } from './equivalent-in-stores.mjs';
import { EQUIVALENT_IN_STREAMS } from './equivalent-in-streams.mjs';

const EMPTY_PIECE = 'An empty piece adds nothing; without it a single piece is not copied.';
const TABLE = 'A larger table holds nothing more.';
const RANGES = 'The tables of ranges are constant; the compiler needs the check.';
const CACHE = 'Only a cache: without it the same is worked out again.';

/**
 * Mutants without a visible effect, each with the reason. The key is what `npm run mutants` prints: file, owner and
 * change, without the line. They are neither run nor counted.
 * @type {ReadonlyMap<string, string>}
 */
export const EQUIVALENT = new Map([
  ...EQUIVALENT_IN_REDACT,
  ...EQUIVALENT_IN_STORES,
  ...EQUIVALENT_IN_STREAMS,
  ['src/api/auth/loopback-host.ts RESULTS_MAX: 100 → 200', CACHE],
  ['src/api/auth/loopback-host.ts isLoopbackHost: cached !== undefined → false', CACHE],
  ['src/api/auth/loopback-host.ts isLoopbackHost: results.set(host, isLoopback); → nothing', CACHE],
  ['src/api/auth/loopback-host.ts isLoopbackHost: results.size < RESULTS_MAX → false', CACHE],
  [
    'src/api/auth/loopback-host.ts isLoopbackHost: results.size < RESULTS_MAX → results.size <= RESULTS_MAX',
    CACHE,
  ],
  ['src/api/auth/loopback-host.ts isLoopbackHost: results.size < RESULTS_MAX → true', CACHE],
  [
    'src/api/auth/loopback-host.ts checkLoopback: /^127\\.\\d+\\.\\d+\\.\\d+$/ → /127\\.\\d+\\.\\d+\\.\\d+$/',
    'The URL parser refuses other names that end in a number.',
  ],
  [
    'src/api/auth/service-tokens.ts grantOf: scopes.filter(isTenantScope) → scopes',
    'Other scopes were refused before; the compiler needs the filter.',
  ],
  [
    'src/api/auth/verify-jwt.ts createJwtVerifier: secret ?? hmacKey(key.secret) → hmacKey(key.secret)',
    'The same bytes, worked out again for each token.',
  ],
  [
    'src/audits/extract/css-references.ts #quoted: this.#at < this.#css.length → this.#at <= this.#css.length',
    'Behind the end there is nothing to read.',
  ],
  [
    'src/audits/extract/css-references.ts #skipComment: 0 → 1',
    'Behind /* nothing is found at the first character, and behind the end there is nothing to read.',
  ],
  [
    'src/audits/extract/css-references.ts #skipComment: end < 0 → end <= 0',
    'Behind /* nothing is found at the first character, and behind the end there is nothing to read.',
  ],
  [
    'src/audits/extract/css-references.ts #skipComment: this.#css.length - this.#at → this.#css.length + this.#at',
    'Behind /* nothing is found at the first character, and behind the end there is nothing to read.',
  ],
  [
    "src/audits/extract/css-references.ts #step: (character === 'u' || character === 'U') && this.#startsWith('url(') → this.#startsWith('url(')",
    'The first half only saves a comparison.',
  ],
  [
    'src/audits/extract/css-references.ts #unquoted: 0 → 1',
    'Behind url( nothing is found at the first character.',
  ],
  [
    'src/audits/extract/css-references.ts #unquoted: end < 0 → end <= 0',
    'Behind url( nothing is found at the first character.',
  ],
  [
    'src/audits/extract/css-references.ts references: this.#at < this.#css.length → this.#at <= this.#css.length',
    'Behind the end there is nothing to read.',
  ],
  [
    "src/audits/extract/link-targets.ts #remembered: href.startsWith('/') && this.#origin !== null → false",
    CACHE,
  ],
  [
    "src/audits/extract/link-targets.ts #remembered: href.startsWith('/') && this.#origin !== null → this.#origin !== null",
    CACHE,
  ],
  [
    "src/audits/extract/link-targets.ts #remembered: href.startsWith('/') && this.#origin !== null → true",
    CACHE,
  ],
  ["src/audits/extract/link-targets.ts #remembered: href.startsWith('/') → href.endsWith('/')", CACHE],
  ['src/audits/extract/link-targets.ts #remembered: this.#origin + href → this.#origin - href', CACHE],
  [
    "src/audits/extract/link-targets.ts #resolved: href.startsWith('/') && this.#origin !== null → false",
    CACHE,
  ],
  [
    "src/audits/extract/link-targets.ts #resolved: href.startsWith('/') && this.#origin !== null → this.#origin !== null",
    CACHE,
  ],
  [
    "src/audits/extract/link-targets.ts #resolved: href.startsWith('/') && this.#origin !== null → true",
    CACHE,
  ],
  ["src/audits/extract/link-targets.ts #resolved: href.startsWith('/') → href.endsWith('/')", CACHE],
  ['src/audits/extract/link-targets.ts #resolved: remember(this.#origin + href, target); → nothing', CACHE],
  ['src/audits/extract/link-targets.ts #resolved: this.#origin + href → this.#origin - href', CACHE],
  ['src/audits/extract/link-targets.ts REMEMBERED_MAX: 10_000 → 20000', CACHE],
  ['src/audits/extract/link-targets.ts of: known !== undefined → false', CACHE],
  ['src/audits/extract/link-targets.ts of: this.#known.set(href, target); → nothing', CACHE],
  [
    'src/audits/extract/link-targets.ts of: this.#remembered(href) ?? this.#resolved(href) → this.#resolved(href)',
    CACHE,
  ],
  ['src/audits/extract/link-targets.ts remember: remembered.set(key, target); → nothing', CACHE],
  [
    'src/audits/extract/link-targets.ts remember: remembered.size >= REMEMBERED_MAX → remembered.size > REMEMBERED_MAX',
    CACHE,
  ],
  ['src/audits/extract/link-targets.ts remember: remembered.size >= REMEMBERED_MAX → true', CACHE],
  [
    'src/audits/extract/placing-tokenizer.ts PlacingTokenizer: 0 → 1',
    'It is set before the first tag is reported.',
  ],
  ['src/audits/extract/placing-tokenizer.ts at: this.#at < from → true', CACHE],
  ['src/audits/extract/text-facts.ts PLANES: 24 → 25', TABLE],
  [
    'src/audits/extract/text-facts.ts above: PLANES - 1 → PLANES + 1',
    'No text has so many words that a carry leaves the highest plane.',
  ],
  ['src/audits/extract/text-facts.ts hashes: 16_384 → 32768', TABLE],
  ['src/audits/extract/text-facts.ts kindOf: kinds[unit] || learn(unit) → learn(unit)', CACHE],
  ['src/audits/extract/text-facts.ts kinds: 65_536 → 131072', TABLE],
  ['src/audits/extract/text-facts.ts learn: kinds[unit] = kind; → nothing', CACHE],
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
    'src/audits/extract/text-facts.ts scanWords: hashes.length < text.length → hashes.length <= text.length',
    TABLE,
  ],
  ['src/audits/extract/text-facts.ts scanWords: hashes.length < text.length → true', TABLE],
  ['src/audits/rules/link-generic-text.ts JUDGED_MAX: 5_000 → 10000', CACHE],
  ['src/audits/rules/link-generic-text.ts isGeneric: judged.set(text, generic); → nothing', CACHE],
  [
    'src/audits/rules/link-generic-text.ts isGeneric: judged.size >= JUDGED_MAX → judged.size > JUDGED_MAX',
    CACHE,
  ],
  ['src/audits/rules/link-generic-text.ts isGeneric: judged.size >= JUDGED_MAX → true', CACHE],
  ['src/audits/rules/link-generic-text.ts isGeneric: known !== undefined → false', CACHE],
  ['src/audits/site-domain.ts CACHE_MAX: 10_000 → 20000', CACHE],
  ['src/audits/site-domain.ts siteDomain: cache.set(url.host, domain); → nothing', CACHE],
  ['src/audits/site-domain.ts siteDomain: cache.size >= CACHE_MAX → cache.size > CACHE_MAX', CACHE],
  ['src/audits/site-domain.ts siteDomain: cache.size >= CACHE_MAX → true', CACHE],
  ['src/audits/site-domain.ts siteDomain: known !== undefined → false', CACHE],
  [
    'packages/client/src/ai-sdk.ts reconnectToStream: thrown instanceof DurableFetchError && [401, 404, 410].includes(thrown.status ?? 0) → [401, 404, 410].includes(thrown.status ?? 0)',
    'No other error has a status; the compiler needs the check.',
  ],
  [
    'packages/client/src/durable-body.ts stopUpstream: call.status >= 300 → true',
    'The outcome is ignored, and a success is not repeated either.',
  ],
  [
    'packages/client/src/read-request.ts readRequest: input instanceof Request → true',
    'A text and a URL have no signal; the compiler needs the check.',
  ],
  [
    'src/compare/fields/code-unit-order.ts sortedSet: sorted.length === INSERTED_MAX → false',
    'A longer list is sorted more slowly, to the same result.',
  ],
  [
    'src/compare/origin-map.ts isTwin: at < 0 → at <= 0',
    'Only a shortcut: a text that begins with a host is mapped the long way.',
  ],
  [
    'src/compare/suite/baseline.ts applyBaseline: entry.expires !== undefined && entry.expires < today → entry.expires < today',
    'For the compiler: undefined is not less than a date.',
  ],
  [
    'src/jobs/job-worker.ts JobWorker: false → true',
    'A wake and a claim set these fields before anything reads them.',
  ],
  [
    'src/jobs/lease-keeper.ts #renewNext: true → false',
    'It is called only while all leases are due, and that stays so.',
  ],
  [
    "src/jobs/run-held-job.ts runHeldJob: held.state = 'over'; → nothing",
    'The job is not held by anyone any more; nothing reads its state.',
  ],
  ['src/jobs/settle-job.ts lastEvent: 100 → 200', 'A percentage is bounded to 100.'],
  [
    'src/net/base64url.ts fromBase64Url: at < bytes.length → at <= bytes.length',
    'Writing behind the end of an array of bytes does nothing.',
  ],
  [
    'src/net/body.ts concatBytes: pieces.length === 1 && only → pieces.length === 1',
    'The second half is for the compiler: a list of one has a first.',
  ],
  ['src/net/classify-address.ts compileIpv4: address.family !== 4 → false', RANGES],
  [
    `src/net/classify-address.ts compileIpv4: throw new Error(\`not an IPv4 range: \${range.cidr}\`); → nothing`,
    RANGES,
  ],
  ['src/net/classify-address.ts compileIpv6: address.family !== 6 → false', RANGES],
  [
    `src/net/classify-address.ts compileIpv6: throw new Error(\`not an IPv6 range: \${range.cidr}\`); → nothing`,
    RANGES,
  ],
  [
    'src/net/classify-address.ts embedsMetadata: at + 1 → at - 1',
    'Of two neighbours, each is next to the other.',
  ],
  [`src/net/classify-address.ts splitCidr: throw new Error(\`not a range: \${cidr}\`); → nothing`, RANGES],
  [
    'src/net/follow-redirects.ts #send: totalMs <= 0 → totalMs < 0',
    'The clock is finer than a deadline that is met exactly.',
  ],
  [
    'src/net/punycode.ts readDelta: 0x7fffffff → 4294967294',
    'A label is so short that its code point would be too large.',
  ],
  [
    'src/net/punycode.ts readDelta: value > 0x7fffffff → value >= 0x7fffffff',
    'A label is so short that its code point would be too large.',
  ],
  [
    'src/proxy/head-proxy.ts headProxy: response.state ?? found → response.state',
    'For the compiler: the head of a stream has its state.',
  ],
  [
    'src/proxy/head-wait.ts HeadWait: this.#orphan → true',
    'For the compiler: without a policy nothing is watched.',
  ],
  [
    'src/proxy/inline-proxy.ts responseOf: held && { held } → {}',
    'Only saves reading the same bytes from the store.',
  ],
  [
    'src/proxy/open-upstream.ts openUpstream: !result.ok && request.body instanceof StreamedBody → !result.ok',
    'For the compiler: other bodies have no fault.',
  ],
  [
    'src/proxy/open-upstream.ts openUpstream: request.body instanceof StreamedBody → true',
    'For the compiler: other bodies have no fault and report nothing.',
  ],
  [
    'src/proxy/pump.ts #mustWait: this.#isPaced → false',
    'Only saves setting the same timer again with each chunk.',
  ],
  ['src/proxy/pump.ts #take: rest.length > 0 → rest.length >= 0', EMPTY_PIECE],
  ['src/proxy/pump.ts #take: rest.length > 0 → true', EMPTY_PIECE],
  ['src/proxy/read-proxy.ts callOf: 0 → 1', 'The body of a read is never read.'],
  [
    'src/proxy/read-proxy.ts readProxy: response.state ?? found → response.state',
    'For the compiler: a read that is not live has its state.',
  ],
  [
    'src/proxy/read-proxy.ts withCoding: coding === undefined → false',
    'A header without a value is not sent.',
  ],
  [
    'src/proxy/record-upstream.ts resultOf: 0 → 1',
    'For the compiler: a response without an error has its bytes.',
  ],
  [
    "src/proxy/record-upstream.ts resultOf: body?.kind === 'bytes' → true",
    'For the compiler: a response without an error has its bytes.',
  ],
  [
    'src/proxy/signed-url.ts sameText: i < expected.length → i <= expected.length',
    'Behind the end there is no bit that could differ.',
  ],
  [
    'src/workflows/audit-site.ts #score: 0 → 1',
    'The pause lets other work run; a millisecond more is not noticed.',
  ],
  ['src/workflows/audit-site.ts #sitemaps: 0 → 1', 'The parts of an audit only need names that differ.'],
  ['src/workflows/audit-site.ts #sitemaps: 1 → 2', 'The parts of an audit only need names that differ.'],
  [
    'src/workflows/audit-site.ts #sitemaps: at += 1 → at -= 1',
    'The parts of an audit only need names that differ.',
  ],
  ['src/workflows/audit-site.ts TEXTS_REMEMBERED: 5_000 → 10000', CACHE],
  [
    'src/workflows/compare-environments.ts diffOf: deps.sha256 && { sha256: deps.sha256 } → {}',
    'The same digest, only slower.',
  ],
  [
    'src/workflows/compare-environments.ts envelopesOf: !probe → false',
    'Both probes were stored by earlier steps; without them it fails in the next line.',
  ],
  [
    `src/workflows/compare-environments.ts envelopesOf: throw new Error(\`the comparison has no \${side} probe\`); → nothing`,
    'Both probes were stored by earlier steps; without them it fails in the next line.',
  ],
  [
    'src/workflows/compare-environments.ts loadHistory: 1 → 2',
    'One row more than is needed is read, and cut off again.',
  ],
  [
    "src/workflows/compare-environments.ts pastRun: resultJson ?? '{}' → resultJson",
    'A completed comparison has a result.',
  ],
  [
    'src/workflows/compare-suite.ts comparePaths: open.at(-1)?.n ?? after → open.at(-1)?.n',
    'The page is not empty; the compiler needs the other side.',
  ],
  ['src/workflows/compare-suite.ts comparePaths: 1 → 2', 'No path has a negative number.'],
  [
    "src/workflows/end-row.ts endComparison: row?.explanation.state !== 'pending' || row.resultJson === null → row?.explanation.state !== 'pending'",
    'A comparison without a result has no pending explanation; the compiler needs the check.',
  ],
  ['src/workflows/end-row.ts endSuite: 1 → 2', 'No path has a negative number.'],
]);
