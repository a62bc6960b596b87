const CACHE = 'Only a cache: without it the same is worked out again.';

/**
 * Mutants that change nothing anyone could see, each with the reason. The key is what `npm run mutants` prints: file,
 * owner and change, without the line. They are neither run nor counted.
 * @type {ReadonlyMap<string, string>}
 */
export const EQUIVALENT = new Map([
  ['src/api/auth/loopback-host.ts isLoopbackHost: judged.set(host, verdict); → nothing', CACHE],
  ['src/api/auth/loopback-host.ts JUDGED_MAX: 100 → 200', CACHE],
  ['src/api/auth/loopback-host.ts isLoopbackHost: judged.size < JUDGED_MAX → true', CACHE],
  ['src/api/auth/loopback-host.ts isLoopbackHost: judged.size < JUDGED_MAX → false', CACHE],
  [
    'src/api/auth/loopback-host.ts isLoopbackHost: judged.size < JUDGED_MAX → judged.size <= JUDGED_MAX',
    CACHE,
  ],
  ['src/api/auth/loopback-host.ts isLoopbackHost: known !== undefined → false', CACHE],
  [
    'src/api/auth/verify-jwt.ts createJwtVerifier: secret ?? hmacKey(key.secret) → hmacKey(key.secret)',
    'The same bytes, worked out again for each token.',
  ],
  [
    'src/jobs/lease-keeper.ts #again: true → false',
    'It is called only while all leases are due, and that stays so.',
  ],
  [
    "src/jobs/run-held-job.ts runHeldJob: held.state = 'over'; → nothing",
    'The job is not held by anyone any more; nothing reads its state.',
  ],
  [
    'src/net/redact/private-key-blocks.ts maskPutty: lines < 0 → lines <= 0',
    'A line break behind the words can never be the first character.',
  ],
  ['src/net/redact/key-before.ts afterEntity: 6 → 7', 'The pattern takes six characters at most.'],
  ['src/net/redact/secret-value.ts runEnd: braced > 0 → true', 'From -1 the value begins at the same place.'],
]);
