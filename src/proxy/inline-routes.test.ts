import { describe, expect, test } from 'vitest';
import { keepingLog, type LogLine } from '../../test/support/keeping-log.js';
import { callerSecretOf, withoutSecret } from './caller-secret.js';
import {
  compileRoutes,
  credentialHeaders,
  type InlineRoute,
  type RouteContext,
  type RouteSetting,
  targetOf,
  warnOfSharedKeys,
} from './inline-routes.js';

const AUTHENTICATED: RouteContext = {
  authenticated: true,
  env: (name) => ({ OPENAI_API_KEY: 'sk-real', BLANK: '  ' })[name],
};
const OPEN: RouteContext = { ...AUTHENTICATED, authenticated: false };

function route(setting: RouteSetting, context = AUTHENTICATED) {
  const compiled = compileRoutes({ it: setting }, context).get('it');
  if (!compiled) throw new Error('no route');
  return compiled;
}

describe('targets', () => {
  const openai = route({ url: 'https://api.openai.com', credential: 'caller' });
  const deep = route({ url: 'https://host.test/base/v2/', credential: 'caller' });

  test.each([
    [openai, '/v1/chat/completions', 'https://api.openai.com/v1/chat/completions'],
    [openai, '/', 'https://api.openai.com/'],
    [openai, '/v1/x?a=b&c=/..', 'https://api.openai.com/v1/x?a=b&c=/..'],
    [deep, '/chat', 'https://host.test/base/v2/chat'],
    [deep, '/', 'https://host.test/base/v2/'],
  ])('maps path %# to its upstream URL', (from, rest, expected) => {
    expect(targetOf(from, rest)?.url.href).toBe(expected);
  });

  test.each(['/../x', '/%2e%2e/x', '/..%2fx', '/..;/x', '/%252e%252e/x', '/..\\x', '/..%5cx'])(
    'refuses %s, which leads out of the route',
    (rest) => {
      expect(targetOf(deep, rest)).toBeUndefined();
    },
  );

  test.each(['@evil.test/', ':8443/', '.evil.test/', 'evil.test/'])('%s does not change the host', (rest) => {
    expect(targetOf(openai, rest)?.url.host ?? 'api.openai.com').toBe('api.openai.com');
  });

  test('a private route opens its own origin only', () => {
    const local = route({ url: 'http://127.0.0.1:11434/v1', credential: 'caller', private: true });
    expect(local.allowlist.privateOrigins).toEqual(['http://127.0.0.1:11434']);
    expect(targetOf(local, '/chat')?.lifted).toBe(true);
    expect(targetOf(openai, '/v1')?.lifted).toBe(false);
  });
});

describe('upstream credentials', () => {
  const keyed = route({ url: 'https://a.test', credential: 'env:OPENAI_API_KEY' });
  const theirs = route({ url: 'https://a.test', credential: 'caller' });
  const SONDE = 'a-sonde-token-of-32-characters-and-more';

  /** What the upstream gets for these headers and this query. */
  function sent(to: InlineRoute, headers: Readonly<Record<string, string>>, query = '') {
    const secret = callerSecretOf(to, { header: (name) => headers[name] ?? null, query });
    const { forwarded, credentials } = credentialHeaders(to, Object.entries(headers), {
      tenant: 'acme',
      secret,
    });
    const own = forwarded.filter(([name]) => name !== 'authorization' && name !== 'sonde-authorization');
    return {
      ...Object.fromEntries([...own, ...credentials]),
      '?': withoutSecret(query && `?${query}`, secret),
    };
  }

  test.each([
    [{ authorization: `Bearer ${SONDE}` }, { authorization: 'Bearer sk-real' }],
    [{ 'x-api-key': SONDE }, { 'x-api-key': 'sk-real' }],
    [{ 'x-goog-api-key': SONDE }, { 'x-goog-api-key': 'sk-real' }],
    [{ 'api-key': SONDE }, { 'api-key': 'sk-real' }],
    [{ authorization: `Bearer ${SONDE}`, 'x-api-key': SONDE }, { 'x-api-key': 'sk-real' }],
    [{ 'api-key': SONDE, 'x-goog-api-key': 'AIza' }, { 'x-goog-api-key': 'sk-real' }],
    [{ authorization: 'Basic abc', 'api-key': SONDE }, { 'api-key': 'sk-real' }],
    [{}, { authorization: 'Bearer sk-real' }],
    [
      { authorization: `Bearer ${SONDE}`, 'x-copy': `token ${SONDE}`, 'x-kept': 'short' },
      { authorization: 'Bearer sk-real', 'x-kept': 'short' },
    ],
  ])('with a key of this server, %j becomes %j', (headers, expected) => {
    expect(sent(keyed, headers as Record<string, string>)).toEqual({ ...expected, '?': '' });
  });

  test.each([
    [{}, `key=${SONDE}`, { 'x-goog-api-key': 'sk-real' }, ''],
    [{}, `alt=sse&key=${SONDE}&x=a%20b`, { 'x-goog-api-key': 'sk-real' }, '?alt=sse&x=a%20b'],
    [{}, `%6bey=${SONDE}&key=2`, { 'x-goog-api-key': 'sk-real' }, ''],
    [{}, 'key=none', { 'x-goog-api-key': 'sk-real' }, ''],
    [{ 'api-key': SONDE }, 'key=a-row', { 'api-key': 'sk-real' }, '?key=a-row'],
    [{ 'api-key': SONDE }, `a=1&token=${SONDE.replace('-', '%2d')}`, { 'api-key': 'sk-real' }, '?a=1'],
    [{}, 'monkey=1', { authorization: 'Bearer sk-real' }, '?monkey=1'],
  ])('with %j and the query %s, the upstream gets %j and %j', (headers, query, expected, left) => {
    expect(sent(keyed, headers, query)).toEqual({ ...expected, '?': left });
  });

  test('a route may name the header of the key', () => {
    const gemini = route({
      url: 'https://a.test',
      credential: 'env:OPENAI_API_KEY',
      keyHeader: 'x-goog-api-key',
    });
    expect(sent(gemini, { authorization: `Bearer ${SONDE}` })).toEqual({
      'x-goog-api-key': 'sk-real',
      '?': '',
    });
  });

  test.each([
    [{ authorization: 'Bearer sk-mine' }, { authorization: 'Bearer sk-mine' }],
    [{ 'x-api-key': 'mine' }, { 'x-api-key': 'mine' }],
    [{ 'x-goog-api-key': 'mine' }, { 'x-goog-api-key': 'mine' }],
    [{ 'sonde-authorization': `Bearer ${SONDE}` }, {}],
    // The same token in both places was not meant for the upstream.
    [{ 'sonde-authorization': `Bearer ${SONDE}`, authorization: `Bearer ${SONDE}`, 'api-key': SONDE }, {}],
  ])("with the caller's credential, %j becomes %j", (headers, expected) => {
    expect(sent(theirs, headers as Record<string, string>)).toEqual({ ...expected, '?': '' });
  });

  test('the credential is optional without authentication', () => {
    expect(route({ url: 'https://a.test' }, OPEN).credential).toEqual({ kind: 'caller' });
  });
});

const KEYED = 'env:OPENAI_API_KEY';

describe('rejects a bad route by its name', () => {
  test.each<[string, string, RouteSetting]>([
    ['no credential', 'it', { url: 'https://a.test' }],
    ['an unknown credential', 'it', { url: 'https://a.test', credential: 'header' }],
    ['the key itself instead of its variable', 'it', { url: 'https://a.test', credential: 'sk-real' }],
    ['no variable', 'it', { url: 'https://a.test', credential: 'env:' }],
    ['an odd variable', 'it', { url: 'https://a.test', credential: 'env:A B' }],
    ['a variable that is not set', 'it', { url: 'https://a.test', credential: 'env:MISSING' }],
    ['a variable that is blank', 'it', { url: 'https://a.test', credential: 'env:BLANK' }],
    ['no url', 'it', { url: '', credential: 'caller' }],
    ['a longer scheme', 'it', { url: 'xhttps://a.test', credential: 'caller' }],
    ['another prefix', 'it', { url: 'https://a.test', credential: 'xenv:OPENAI_API_KEY' }],
    ['a longer variable', 'it', { url: 'https://a.test', credential: 'env:OPENAI_API_KEY x' }],
    ['another scheme', 'it', { url: 'ftp://a.test', credential: 'caller' }],
    ['userinfo', 'it', { url: 'https://u:p@a.test', credential: 'caller' }],
    ['a query', 'it', { url: 'https://a.test/?key=1', credential: 'caller' }],
    ['a fragment', 'it', { url: 'https://a.test/#x', credential: 'caller' }],
    ['a star', 'it', { url: 'https://*.a.test', credential: 'caller' }],
    ['a name with a slash', 'a/b', { url: 'https://a.test', credential: 'caller' }],
    ['a name in capitals', 'It', { url: 'https://a.test', credential: 'caller' }],
    ['an empty name', '', { url: 'https://a.test', credential: 'caller' }],
    ['a long name', 'x'.repeat(64), { url: 'https://a.test', credential: 'caller' }],
    ['dots', '..', { url: 'https://a.test', credential: 'caller' }],
    ['no key at all', 'it', { url: 'https://a.test', credential: {} }],
    ['the key itself for a tenant', 'it', { url: 'https://a.test', credential: { acme: 'sk-real' } }],
    [
      'the credential of callers for a tenant',
      'it',
      { url: 'https://a.test', credential: { acme: 'caller' } },
    ],
    ['a variable that is not set', 'it', { url: 'https://a.test', credential: { '*': 'env:MISSING' } }],
    [
      'a key for a tenant that it is not for',
      'it',
      { url: 'https://a.test', tenants: ['acme'], credential: { acme: KEYED, other: KEYED } },
    ],
    [
      'a tenant without a key',
      'it',
      { url: 'https://a.test', tenants: ['acme', 'other'], credential: { acme: KEYED } },
    ],
    ['a path without a method', 'it', { url: 'https://a.test', credential: KEYED, paths: ['/v1'] }],
    ['a path that hides a slash', 'it', { url: 'https://a.test', credential: KEYED, paths: ['GET /a%2fb'] }],
    ['a header for no key', 'it', { url: 'https://a.test', credential: 'caller', keyHeader: 'api-key' }],
  ])('%s', (_why, name, setting) => {
    const compile = () => compileRoutes({ [name]: setting }, AUTHENTICATED);
    expect(compile).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_VALUE' }));
    expect(compile).toThrow(`proxy.routes.${name}`);
    expect(compile).not.toThrow('sk-real');
  });
});

test.each([
  [{ url: 'https://a.test', credential: 'env:A B' }, 'credential must be "env:NAME"'],
  [{ url: 'https://a.test', credential: 'env:MISSING' }, 'the environment variable MISSING is not set'],
  [{ url: 'https://a.test' }, 'credential is missing'],
  [{ url: 'ftp://a.test', credential: 'caller' }, 'url must be an http or https URL'],
  [
    { url: 'https://a.test', tenants: ['b'], credential: { a: KEYED } },
    'the tenant "a", which tenants does not name',
  ],
  [{ url: 'https://a.test', tenants: ['b'], credential: { b: KEYED, '*': 'env:X Y' } }, 'credential must be'],
])('case %#: the error says what is wrong', (setting, message) => {
  expect(() => compileRoutes({ it: setting }, AUTHENTICATED)).toThrow(message);
});

test('only a route that sets a time for the head has one', () => {
  expect(route({ url: 'https://a.test', credential: 'caller' })).not.toHaveProperty('headersMs');
  expect(route({ url: 'https://a.test', credential: 'caller', headersMs: 5 }).headersMs).toBe(5);
});

test.each([
  [{ credential: KEYED }, true],
  [{ credential: KEYED, tenants: ['acme'] }, false],
  [{ credential: { acme: KEYED } }, false],
  [{ credential: { acme: KEYED, '*': KEYED } }, true],
  [{ credential: 'caller' }, false],
])('whether %j lends its key to every tenant: %s', (setting, expected) => {
  const lines: LogLine[] = [];
  const routes = compileRoutes({ it: { url: 'https://a.test', ...setting } }, AUTHENTICATED);
  warnOfSharedKeys(routes, keepingLog(lines));
  expect(lines.map(({ level, message }) => [level, message.includes('proxy.routes.it.tenants')])).toEqual(
    expected ? [['warn', true]] : [],
  );
});
