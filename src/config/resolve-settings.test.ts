import { expect, test } from 'vitest';
import { SondeError } from '../errors.js';
import { resolveSettings, type SettingSources } from './resolve-settings.js';

const file = (content: unknown) => ({ name: 'sonde.config.json', content });

function refusal(sources: SettingSources): SondeError {
  try {
    resolveSettings(sources);
  } catch (thrown) {
    if (thrown instanceof SondeError) return thrown;
  }
  throw new Error('was not refused');
}

test('every value has its default without sources', () => {
  const { settings, origins } = resolveSettings({});
  expect(settings).toEqual({
    server: {
      host: '127.0.0.1',
      port: 4747,
      data: './sonde-data',
      auth: 'jwt',
      publicUrl: undefined,
      trustProxy: [],
      corsOrigin: [],
      bodyBytesMax: 10_485_760,
      headerBytesMax: 16_384,
      streamBytesMax: 64 * 1024 ** 3,
      connectionsMax: 10_000,
      ratePerMinute: 6000,
      drainMs: 10_000,
      longPollMs: 20_000,
      sseMs: 60_000,
    },
    auth: {
      jwtSecret: undefined,
      jwks: undefined,
      issuer: undefined,
      audience: undefined,
      serviceTokens: [],
    },
    net: { allowPrivate: [], ca: undefined, connectTo: {}, dnsServers: [], userAgent: 'SondeBot/1.0' },
    proxy: {
      bodyBytesMax: 104_857_600,
      allow: [],
      routes: {},
      signingSecret: undefined,
      headersMs: 60_000,
      idleMs: 600_000,
      responseBytesMax: 1_073_741_824,
      flushBytes: 4096,
      flushMs: 50,
      keepMs: 86_400_000,
      urlMs: 86_400_000,
      orphanPolicy: 'keep',
      streamsMax: 5000,
    },
    explain: { baseUrl: undefined, model: undefined, key: undefined, timeoutMs: 60_000 },
    jobs: {
      databaseUrl: undefined,
      concurrency: 10,
      leaseMs: 300_000,
      durationMs: 86_400_000,
      maxAttempts: 3,
      pollMs: 1_000,
      retentionMs: 30 * 86_400_000,
      webhookSecret: undefined,
    },
    worker: { healthPort: undefined, healthHost: '127.0.0.1' },
    compare: {
      probeMs: 10_000,
      redirectsMax: 10,
      confirmSamples: 12,
      kept: 50,
      retentionMs: 90 * 86_400_000,
    },
    audit: { fetchMs: 30_000, bodyBytesMax: 10_000_000, redirectsMax: 5 },
    client: { server: 'http://127.0.0.1:4747', token: undefined },
    log: { level: 'info', format: undefined },
  });
  expect(new Set(Object.values(origins))).toEqual(new Set(['default']));
});

test('a flag overrides a variable, which overrides the file, which overrides the default', () => {
  const all = {
    flags: { host: '::1' },
    env: { SONDE_HOST: 'localhost', SONDE_PORT: '81' },
    file: file({ $schema: 'x', server: { host: '127.0.0.9', port: 82, drainMs: '3s' } }),
  };
  const { settings, origins } = resolveSettings(all);
  expect([settings.server.host, settings.server.port, settings.server.drainMs]).toEqual(['::1', 81, 3000]);
  expect(origins['server.host']).toBe('flag --host');
  expect(origins['server.port']).toBe('env SONDE_PORT');
  expect(origins['server.drainMs']).toBe('file sonde.config.json');
  expect(origins['server.data']).toBe('default');
});

test('a valid flag overrides an invalid value, and an empty variable counts as not set', () => {
  expect(resolveSettings({ flags: { port: '1' }, env: { SONDE_PORT: 'x' } }).settings.server.port).toBe(1);
  expect(resolveSettings({ env: { SONDE_PORT: '', SONDE_OLD: '' } }).settings.server.port).toBe(4747);
});

test('reads lists and maps from repeated flags, comma-separated text and files', () => {
  const expected = ['http://127.0.0.1:8080', 'https://a.test'];
  const texts = ['http://127.0.0.1:8080', 'HTTPS://A.test/'];
  for (const sources of [
    { flags: { 'allow-private': texts } },
    { flags: { 'allow-private': [texts.join(', ')] } },
    { env: { SONDE_ALLOW_PRIVATE: texts.join(',') } },
    { file: file({ net: { allowPrivate: texts } }) },
  ]) {
    expect(resolveSettings(sources).settings.net.allowPrivate).toEqual(expected);
  }
  const map = { 'a.test': '127.0.0.1:80', 'b.test:443': '[::1]:8443' };
  const text = 'a.test=127.0.0.1:80,b.test:443=[::1]:8443';
  expect(resolveSettings({ env: { SONDE_CONNECT_TO: text } }).settings.net.connectTo).toEqual(map);
  expect(resolveSettings({ file: file({ net: { connectTo: map } }) }).settings.net.connectTo).toEqual(map);
});

test('service tokens are JSON in a flag or variable', () => {
  const tokens = [{ token: 't'.repeat(32), tenant: 'acme', scopes: ['stream:read'] }];
  const { settings } = resolveSettings({ env: { SONDE_SERVICE_TOKENS: JSON.stringify(tokens) } });
  expect(settings.auth.serviceTokens).toEqual(tokens);
});

test.each([
  ['port', '65536'],
  ['port', '-1'],
  ['port', '80.5'],
  ['port', ''],
  ['host', '[::1]'],
  ['host', 'a b'],
  ['auth', 'basic'],
  ['public-url', 'https://x.test/path'],
  ['public-url', 'https://x.test?'],
  ['public-url', 'ftp://x.test'],
  ['public-url', 'https://u:p@x.test'],
  ['trust-proxy', '10.0.0.0/33'],
  ['trust-proxy', 'proxy.test'],
  ['cors-origin', '*'],
  ['body-bytes-max', '10MB'],
  ['sse-ms', '99'],
  ['sse-ms', '2h'],
  ['proxy-flush-bytes', '0'],
  ['proxy-flush-bytes', '257KiB'],
  ['proxy-flush-ms', '0'],
  ['proxy-flush-ms', '11s'],
  ['body-bytes-max', '2GiB'],
  ['drain-ms', '25h'],
  ['jwks', 'https://'],
  ['connect-to', 'a.test'],
  ['connect-to', 'a.test=b.test:80'],
  ['connect-to', 'a.test=127.0.0.1'],
  ['connect-to', 'a.test=127.0.0.1:0'],
  ['connect-to', 'a b=127.0.0.1:80'],
  ['dns-servers', 'dns.test'],
  ['dns-servers', '9.9.9.9:0'],
  ['dns-servers', '9.9.9.9:65536'],
  ['user-agent', 'a\r\nb'],
  ['ca', 'a\0b'],
  ['log-level', 'trace'],
])('refuses --%s %j and names the flag and the form', (flag, value) => {
  const error = refusal({ flags: { [flag]: value } });
  expect(error.code).toBe('CONFIG_INVALID_VALUE');
  expect(error.message).toMatch(/^\w+\.\w+.*: expected .+\(flag --/);
  expect(error.message).toContain(`(flag --${flag})`);
});

test.each(['9.9.9.9', '9.9.9.9:1', '9.9.9.9:65535', '9.9.9.9:53', '2620:fe::fe', '[2620:fe::fe]:53'])(
  '%s is a DNS server',
  (server) => {
    expect(resolveSettings({ flags: { 'dns-servers': server } }).settings.net.dnsServers).toEqual([server]);
  },
);

test('refuses a number as text in a file', () => {
  expect(refusal({ file: file({ server: { port: '80' } }) }).message).toBe(
    'server.port: expected a whole number from 0 to 65535, got "80" (file sonde.config.json)',
  );
});

test('a problem inside a value is reported with its position', () => {
  const of = (content: unknown) => refusal({ file: file(content) }).message;
  expect(of({ net: { connectTo: { 'a b': '127.0.0.1:80' } } })).toContain('net.connectTo["a b"]: expected');
  expect(of({ net: { connectTo: { a: 'x' } } })).toContain('net.connectTo.a: expected');
  expect(of({ server: { trustProxy: ['::1', 'x'] } })).toContain('server.trustProxy[1]: expected');
});

test('a flag counts even if it is empty', () => {
  expect(refusal({ flags: { host: '' }, env: { SONDE_HOST: 'localhost' } }).message).toContain(
    '(flag --host)',
  );
});

test('refuses unknown keys with a suggestion', () => {
  const of = (content: unknown) => refusal({ file: file(content) });
  expect(of({ server: { prot: 1 } }).message).toBe(
    'server.prot is not a known setting (file sonde.config.json); did you mean server.port?',
  );
  expect(of({ sever: {} }).message).toContain('did you mean server?');
  expect(of({ port: 1 }).message).toContain('did you mean server.port?');
  expect(of({ 'server.port': 1 }).message).toContain('write it nested: {"server": {"port": …}}');
  expect(of(JSON.parse('{"__proto__": {"port": 1}}')).code).toBe('CONFIG_UNKNOWN_KEY');
  expect(of({ server: { constructor: 1 } }).code).toBe('CONFIG_UNKNOWN_KEY');
  expect(of({ server: 5 }).message).toBe('server: expected an object (file sonde.config.json)');
  for (const content of [[], null, 'text'])
    expect(of(content).message).toBe('configuration: expected an object (file sonde.config.json)');
  expect(of({ server: null }).message).toBe('server: expected an object (file sonde.config.json)');
});

test('refuses unknown variables, except those that are not settings', () => {
  const error = refusal({ env: { SONDE_PROT: '1', OTHER: 'x' } });
  expect(error.code).toBe('CONFIG_UNKNOWN_KEY');
  expect(error.message).toBe('SONDE_PROT is not a known setting (environment); did you mean SONDE_PORT?');
  expect(refusal({ env: { SONDE_SERVICE_HOST: '10.0.0.1' } }).message).toContain('enableServiceLinks: false');
  expect(() => resolveSettings({ env: { SONDE_CONFIG: 'x', SONDE_CHROMIUM: '/y' } })).not.toThrow();
});

test('reports all problems at once', () => {
  const error = refusal({
    flags: { port: 'x', 'log-level': 'loud' },
    env: { SONDE_AUTHH: 'none' },
    file: file({ nett: {}, log: { format: 1 } }),
  });
  expect(error.details['problems']).toHaveLength(5);
});

test('secrets never appear in a message', () => {
  const secret = 'hunter2-hunter2';
  const token = [{ token: secret, tenant: 'acme', scopes: ['stream:read'] }];
  for (const sources of [
    { flags: { 'jwt-secret': secret } },
    { env: { SONDE_JWT_SECRET: secret } },
    { file: file({ auth: { jwtSecret: secret } }) },
    { file: file({ auth: { serviceTokens: token } }) },
    { env: { SONDE_SERVICE_TOKENS: `[{"token": ${secret}` } },
    { flags: { 'public-url': `https://u:${secret}@x.test` } },
  ]) {
    const error = refusal(sources);
    expect(JSON.stringify([error.message, error.details])).not.toContain('hunter2');
  }
  expect(refusal({ file: file({ auth: { serviceTokens: token } }) }).message).toContain(
    'auth.serviceTokens[0].token:',
  );
});

test('the length of a JWT secret is counted in bytes', () => {
  expect(resolveSettings({ flags: { 'jwt-secret': 'é'.repeat(16) } }).settings.auth.jwtSecret).toHaveLength(
    16,
  );
  for (const secret of ['é'.repeat(15), 'x'.repeat(31), 'x'.repeat(4097)]) {
    expect(refusal({ flags: { 'jwt-secret': secret } }).message).toContain('at least 32 bytes');
  }
  for (const secret of ['x'.repeat(32), 'x'.repeat(4096)]) {
    expect(resolveSettings({ flags: { 'jwt-secret': secret } }).settings.auth.jwtSecret).toBe(secret);
  }
});

test('checks rules between settings: no authentication only on loopback, one kind of key', () => {
  for (const host of ['0.0.0.0', '127.evil.test', '127.0.0.1.evil.test', 'x.localhost', '::11']) {
    expect(refusal({ flags: { auth: 'none', host } }).message).toContain('loopback host only');
  }
  for (const host of ['localhost', '127.0.0.2', '::1']) {
    expect(resolveSettings({ flags: { auth: 'none', host } }).settings.server.host).toBe(host);
  }
  expect(refusal({ flags: { 'jwt-secret': 's'.repeat(32), jwks: './keys.json' } }).message).toContain(
    'got both',
  );
});
