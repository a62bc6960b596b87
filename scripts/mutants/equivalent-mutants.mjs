const TABLE = 'A larger table holds nothing more.';
const CACHE = 'Only a cache: without it the same is worked out again.';
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
  ['src/streams/json-messages.ts PIECE_BYTES: 64 → 65', TURNS],
  ['src/streams/json-messages.ts PIECE_BYTES: 1024 → 2048', TURNS],
  [
    'src/stores/sqlite/sqlite-stream-store.ts #row: this.#allTailsChecked → false',
    'Only saves a check that was made and found nothing.',
  ],
  [
    'src/proxy/allowlist.ts compile: Number(port) < 1 → Number(port) <= 1',
    'Port 1 is refused by the next rule in any case.',
  ],
  [
    'src/stores/sqlite/sqlite-job-store.ts overview: 1 → 2',
    'Any time that is still to come stands for "none".',
  ],
  ['src/net/redact/secret-value.ts runEnd: braced > 0 → true', 'From -1 the value begins at the same place.'],
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
]);
