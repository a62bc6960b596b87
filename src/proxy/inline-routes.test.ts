import { describe, expect, test } from 'vitest';
import {
  compileRoutes,
  credentialHeaders,
  type RouteContext,
  type RouteSetting,
  targetOf,
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

const shown = (headers: Record<string, string>) => (name: string) => headers[name] ?? null;

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

  test.each([
    [{ authorization: 'Bearer sonde' }, [['authorization', 'Bearer sk-real']]],
    [{ 'x-api-key': 'sonde' }, [['x-api-key', 'sk-real']]],
    [{ authorization: 'Bearer sonde', 'x-api-key': 'sonde' }, [['x-api-key', 'sk-real']]],
    [{}, [['authorization', 'Bearer sk-real']]],
  ])('with a key from the environment, %j becomes %j', (headers, expected) => {
    expect(credentialHeaders(keyed, shown(headers as Record<string, string>))).toEqual(expected);
  });

  test.each([
    [{ authorization: 'Bearer sk-mine' }, [['authorization', 'Bearer sk-mine']]],
    [{ 'x-api-key': 'mine' }, [['x-api-key', 'mine']]],
    [{ 'sonde-authorization': 'Bearer sonde' }, []],
  ])("with the caller's credential, %j becomes %j", (headers, expected) => {
    expect(credentialHeaders(theirs, shown(headers as Record<string, string>))).toEqual(expected);
  });

  test('the credential is optional without authentication', () => {
    expect(route({ url: 'https://a.test' }, OPEN).credential).toEqual({ kind: 'caller' });
  });
});

describe('rejects a bad route by its name', () => {
  test.each([
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
  ])('%s', (_why, name, setting) => {
    const compile = () => compileRoutes({ [name]: setting }, AUTHENTICATED);
    expect(compile).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_VALUE' }));
    expect(compile).toThrow(`proxy.routes.${name}`);
    expect(compile).not.toThrow('sk-real');
  });
});

test.each([
  [{ url: 'https://a.test', credential: 'env:A B' }, 'credential must be "env:NAME" or "caller"'],
  [{ url: 'https://a.test', credential: 'env:MISSING' }, 'the environment variable MISSING is not set'],
  [{ url: 'https://a.test' }, 'credential is missing'],
  [{ url: 'ftp://a.test', credential: 'caller' }, 'url must be an http or https URL'],
])('case %#: the error says what is wrong', (setting, message) => {
  expect(() => compileRoutes({ it: setting }, AUTHENTICATED)).toThrow(message);
});

test('only a route that sets a time for the head has one', () => {
  expect(route({ url: 'https://a.test', credential: 'caller' })).not.toHaveProperty('headersMs');
  expect(route({ url: 'https://a.test', credential: 'caller', headersMs: 5 }).headersMs).toBe(5);
});
