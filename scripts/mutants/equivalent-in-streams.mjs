// Mutants of src/streams/ without a visible effect; equivalent-mutants.mjs explains the rows.
const AT_TAIL = 'At the tail, a read that is begun early has no bytes.';
const COMPILER = 'For the compiler: it has been made sure before.';
const NEWS = 'Only saves a check that finds nothing changed.';
const CACHE = 'Only a cache: without it the same is worked out again.';
const TURNS = 'Only how often other requests get their turn in between.';

/** @type {readonly (readonly [string, string])[]} */
export const EQUIVALENT_IN_STREAMS = [
  ['src/streams/create-stream.ts randomHash: 16 → 17', 'Any base gives a random number.'],
  [
    String.raw`src/streams/expiry.ts DATE_TIME: /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/ → /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)/`,
    'The parser of dates refuses anything behind the zone too.',
  ],
  ['src/streams/follow-sse.ts followSse: 0 → 1', AT_TAIL],
  [
    'src/streams/follow-sse.ts followSse: comparePositions(from, state.tail) < 0 → comparePositions(from, state.tail) <= 0',
    AT_TAIL,
  ],
  ['src/streams/follow-sse.ts followSse: comparePositions(from, state.tail) < 0 → true', AT_TAIL],
  ['src/streams/fork-point.ts pointInside: 1 → 2', 'Only the first record is used.'],
  ['src/streams/json-messages.ts PIECE_BYTES: 1024 → 2048', TURNS],
  ['src/streams/json-messages.ts PIECE_BYTES: 64 → 65', TURNS],
  [
    'src/streams/json-messages.ts endOfMessage: i < record.length → i <= record.length',
    'Behind the last byte there is no comma.',
  ],
  [
    'src/streams/json-messages.ts skipString: i < bytes.length → i <= bytes.length',
    'Both results lie behind the record, where the search ends.',
  ],
  ['src/streams/json-scan.ts JsonScan: 0 → 1', 'Set before it is read; the compiler requires a value.'],
  ['src/streams/media-type.ts ESSENCES_KEPT: 100 → 200', CACHE],
  ['src/streams/media-type.ts TYPE_CHARS_KEPT: 200 → 400', CACHE],
  [
    'src/streams/media-type.ts essenceOf: contentType.length <= TYPE_CHARS_KEPT → contentType.length < TYPE_CHARS_KEPT',
    CACHE,
  ],
  ['src/streams/media-type.ts essenceOf: essences.set(contentType, essence); → nothing', CACHE],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT → contentType.length <= TYPE_CHARS_KEPT',
    CACHE,
  ],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT → essences.size < ESSENCES_KEPT',
    CACHE,
  ],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT → false',
    CACHE,
  ],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT && contentType.length <= TYPE_CHARS_KEPT → true',
    CACHE,
  ],
  [
    'src/streams/media-type.ts essenceOf: essences.size < ESSENCES_KEPT → essences.size <= ESSENCES_KEPT',
    CACHE,
  ],
  ['src/streams/media-type.ts essenceOf: known !== undefined → false', CACHE],
  [
    'src/streams/read-plan.ts lineUpTo: comparePositions(ancestor.until, point) <= 0 → comparePositions(ancestor.until, point) < 0',
    'Both are the same position then.',
  ],
  ['src/streams/read-spans.ts fetchSpan: !span → false', 'Nobody waits for what follows the last span.'],
  ['src/streams/read-spans.ts fetchSpan: 0 → 1', 'Nobody waits for what follows the last span.'],
  [
    'src/streams/read-timing.ts readTiming: found.at(-1)?.end ?? span.hi → found.at(-1)?.end',
    'The second half is for the compiler: a span has a record.',
  ],
  ['src/streams/refuse-forged.ts refuseForged: 1 → 2', 'More bytes show the same end of a record.'],
  [
    'src/streams/seal-chunk.ts readRecords: !last || some.length < PART_RECORDS → some.length < PART_RECORDS',
    'The first half is for the compiler: a full part has a last record.',
  ],
  [
    'src/streams/sse-frames.ts base64: i < bytes.length → i <= bytes.length',
    'A write behind the end of a typed array is ignored.',
  ],
  [
    'src/streams/sse-frames.ts textLines: i < bytes.length → i <= bytes.length',
    'Behind the last byte there is no line break.',
  ],
  ["src/streams/subscriptions/decide-wake.ts lease: state.phase === 'idle' → false", COMPILER],
  [
    "src/streams/subscriptions/decide-wake.ts refusalOf: state.phase !== 'idle' && state.generation === event.generation → state.generation === event.generation",
    'For the compiler: without a wake there is no id to compare.',
  ],
  [
    'src/streams/subscriptions/deliver-wake.ts announceWake: 1 → 2',
    'Of several rows only the first is used.',
  ],
  [
    'src/streams/subscriptions/secret-box.ts webCipher: false → true',
    'The key is never given out, extractable or not.',
  ],
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
    'src/streams/subscriptions/subscription-service.ts #all: !last || page.length < PAGE → page.length < PAGE',
    'For the compiler: a full page has a last row.',
  ],
  [
    'src/streams/subscriptions/wake-runner.ts #check: at < paths.length → at <= paths.length',
    'A step without streams does nothing.',
  ],
  ['src/streams/subscriptions/wake-runner.ts #schedule: desk.scheduled = true; → nothing', NEWS],
  ['src/streams/subscriptions/wake-runner.ts #schedule: desk.scheduled → false', NEWS],
  ['src/streams/subscriptions/wake-runner.ts #schedule: return; → nothing', NEWS],
  ['src/streams/subscriptions/wake-runner.ts #schedule: true → false', NEWS],
  ['src/streams/ticker.ts Ticker: 0 → 1', 'Ticks are only compared with one another.'],
];
