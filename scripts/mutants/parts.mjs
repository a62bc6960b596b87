// The parts that are measured one by one: what is mutated, which tests count, and the share that they must kill. Tests
// that start the built program or workerd are excluded: they would not run the mutant, or would take minutes for each.

/**
 * @typedef {object} Part
 * @property {number} barPercent
 * @property {readonly string[]} sources folders and files
 * @property {readonly string[]} [except]
 * @property {readonly string[]} tests folders of unit tests, and other test files, which may end in `*`
 */

const HIGH = 85;
const FAIR = 75;

/** @type {Readonly<Record<string, Part>>} */
export const PARTS = {
  net: {
    barPercent: HIGH,
    sources: ['src/net/'],
    except: ['src/net/redact/', 'src/net/cases/'],
    tests: [
      'src/net/',
      'src/runtimes/node/egress/',
      'test/conformance/egress*',
      'test/conformance/blocklist*',
      'test/contract/node-egress*',
    ],
  },
  redact: {
    barPercent: HIGH,
    sources: ['src/net/redact/'],
    tests: ['src/net/', 'test/conformance/redaction*'],
  },
  streams: {
    barPercent: HIGH,
    sources: ['src/streams/'],
    tests: [
      'src/streams/',
      'src/stores/sqlite/',
      'test/contract/sqlite-stream-store*',
      'test/conformance/stream-*',
      'test/conformance/durable-streams*',
      'test/conformance/broken-bodies*',
      'test/conformance/proxy-raw-read*',
      'test/engines/subscriptions*',
    ],
  },
  proxy: {
    barPercent: HIGH,
    sources: ['src/proxy/'],
    tests: ['src/proxy/', 'test/contract/sqlite-proxy-store*', 'test/conformance/proxy-*'],
  },
  jobs: {
    barPercent: HIGH,
    sources: ['src/jobs/'],
    tests: ['src/jobs/', 'test/contract/sqlite-job-store*'],
  },
  workflows: {
    barPercent: HIGH,
    sources: ['src/workflows/'],
    tests: ['src/workflows/'],
  },
  stores: {
    barPercent: HIGH,
    sources: ['src/stores/'],
    tests: [
      'src/stores/',
      'src/jobs/',
      'src/streams/subscriptions/',
      'src/runtimes/node/records/',
      'src/runtimes/node/sqlite/',
      'test/contract/',
      'test/conformance/stream-facts*',
      'test/conformance/stream-damage*',
      'test/conformance/stream-repair*',
    ],
  },
  auth: {
    barPercent: HIGH,
    sources: ['src/api/auth/'],
    tests: ['src/api/auth/', 'src/api/middleware/', 'src/api/routes/', 'test/conformance/hostile-jwts*'],
  },
  'rate-limits': {
    barPercent: HIGH,
    sources: [
      'src/api/middleware/rate-limit.ts',
      'src/api/middleware/token-buckets.ts',
      'src/streams/tenant-shares.ts',
      'src/streams/tenant-limits.ts',
      'src/proxy/tenant-share.ts',
    ],
    tests: ['src/api/middleware/', 'src/streams/', 'src/proxy/', 'test/conformance/stream-bounds*'],
  },
  client: {
    barPercent: HIGH,
    sources: ['packages/client/src/'],
    tests: ['packages/client/src/', 'test/conformance/durable-*'],
  },
  compare: {
    barPercent: FAIR,
    sources: ['src/compare/'],
    tests: [
      'src/compare/',
      'test/conformance/golden-diffs*',
      'test/conformance/suite-goldens*',
      'test/contract/sqlite-comparison-store*',
    ],
  },
  audits: {
    barPercent: FAIR,
    sources: ['src/audits/'],
    tests: ['src/audits/', 'src/workflows/', 'test/contract/audit-fetch*'],
  },
  config: { barPercent: FAIR, sources: ['src/config/'], tests: ['src/config/', 'src/cli/'] },
};
