/**
 * No six consecutive characters of a generated secret survive, in every kind of surrounding text and every shape of
 * value. The contexts are grouped by the characters a secret can contain without ambiguity.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from './redactor.js';

const redactor = createRedactor();
const RUN = 6;

const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const secretOf = (alphabet: string, min = 8, max = 40): fc.Arbitrary<string> =>
  fc
    .string({ unit: fc.constantFrom(...alphabet), minLength: min, maxLength: max })
    // A letter and a digit at each end rule out words, numbers and blanks at the edges.
    .map((middle) => `q7${middle}z8`);

const printable = secretOf(`${ALNUM} !"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`);
/** Without entities of HTML, which end a value. */
const oneWord = secretOf(`${ALNUM}!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~`).filter(
  (secret) => !/&#?\w{2,4};/.test(secret),
);
const unspaced = secretOf(`${ALNUM}!#$%*+-./=?@^_~`);
const tokenLike = secretOf(`${ALNUM}-_`, 30, 60);

const json = (text: string): string => JSON.stringify(text);
const inner = (text: string): string => json(text).slice(1, -1);

/** Contexts for any printable secret: they quote or encode it. */
const quoted: Readonly<Record<string, (secret: string) => string>> = {
  JSON: (secret) => json({ a: 1, password: secret, b: 'kept' } as never),
  'JSON in JSON': (secret) => json(json({ clientSecret: secret } as never)),
  'JSON in JSON in JSON': (secret) => json(json(json({ token: secret } as never))),
  'JSON list': (secret) => json({ credentials: [secret, { x: secret }] } as never),
  'HAR as JSON': (secret) => json({ name: 'X-Api-Key', value: secret } as never),
  'tuple as JSON': (secret) => json(['authorization', secret] as never),
  query: (secret) => `https://h/p?a=1&access_token=${encodeURIComponent(secret)}&b=2`,
  'nested query': (secret) =>
    `/r?to=${encodeURIComponent(`https://h/?token=${encodeURIComponent(secret)}&b=2`)}&c=3`,
  form: (secret) => new URLSearchParams({ a: '1', password: secret, b: '2' }).toString(),
  'HTML query': (secret) => `<a href="/x?a=1&amp;token=${encodeURIComponent(secret)}&amp;b=2">`,
  userinfo: (secret) => `see https://bob:${encodeURIComponent(secret)}@h.example/path`,
  'YAML quoted': (secret) => `db:\n  password: ${json(secret)}\n  host: h`,
  'env quoted': (secret) => `export API_TOKEN="${inner(secret)}"`,
  'YAML below': (secret) => `db:\n  password:\n    ${json(secret)}\n  host: h`,
  declaration: (secret) => `const password: string | undefined = ${json(secret)};`,
  'appended text': (secret) => `password += ${json(secret)};`,
  'list with blanks': (secret) => `[ ${json('token')} , ${json(secret)} , ]`,
  'nested form': (secret) => new URLSearchParams({ 'a[password][first]': secret, b: '2' }).toString(),
  'flag quoted': (secret) => `tool --password "${inner(secret)}" --verbose`,
  'curl user': (secret) => `curl -u "bob:${inner(secret)}" https://h/`,
};

/** Contexts for any secret without spaces: it ends with its line. */
const lines: Readonly<Record<string, (secret: string) => string>> = {
  'header line': (secret) => `GET / HTTP/1.1\r\nX-Api-Key: ${secret}\r\nHost: h\r\n`,
  bearer: (secret) => `Authorization: Bearer ${secret}`,
  YAML: (secret) => `db:\n  password: ${secret}\n  host: h`,
};

/** Contexts for secrets without spaces and closing punctuation: nothing else marks where they end. */
const bare: Readonly<Record<string, (secret: string) => string>> = {
  basic: (secret) => `Proxy-Authorization: Basic ${Buffer.from(secret).toString('base64')}`,
  cookie: (secret) => `Cookie: a=1; sid=${secret}; b=2`,
  'set-cookie': (secret) => `Set-Cookie: sid=${secret}; Path=/; HttpOnly`,
  env: (secret) => `A=1\nDB_PASSWORD=${secret}\nB=2`,
  'log line': (secret) => `12:00 failed token=${secret} status=500`,
  flag: (secret) => `tool --token ${secret} --verbose`,
  XML: (secret) => `<config><password>${secret}</password></config>`,
  CDATA: (secret) => `<ns:cookie><![CDATA[${secret}]]></ns:cookie>`,
  'YAML list': (secret) => `passwords:\n  - ${secret}\n  - kept\n`,
  'connection string': (secret) => `Server=h;User Id=sa;Password=${secret};Encrypt=true`,
  'end of a connection string': (secret) => `Server=h;User Id=sa;Password=${secret} and words`,
};

const tokens: Readonly<Record<string, (secret: string) => string>> = {
  GitHub: (secret) => `see ghp_${secret.replace(/[-_]/g, 'x')} there`,
  OpenAI: (secret) => `key sk-proj-${secret}`,
  Slack: (secret) => `xoxb-${secret}`,
  JWT: (secret) => `eyJhbGciOiJIUzI1NiJ9.eyJ${secret}.${secret}`,
  PEM: (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  'PEM without end': (secret) => `-----BEGIN RSA PRIVATE KEY-----\\n${secret}`,
  webhook: (secret) => `https://hooks.slack.com/services/T1/B1/${secret}`,
};

const shapes: Readonly<Record<string, (secret: string) => unknown>> = {
  object: (secret) => ({ password: secret }),
  nested: (secret) => ({ credentials: { a: { b: [secret] } } }),
  list: (secret) => [[{ apiKey: secret }]],
  tuples: (secret) => [['Authorization', secret]],
  rawHeaders: (secret) => ['Host', 'h', 'Cookie', secret],
  HAR: (secret) => [{ name: 'set-cookie', value: secret }],
  pair: (secret) => ({ key: 'client_secret', value: secret }),
  map: (secret) => new Map([['token', secret]]),
  oddMap: (secret) =>
    new Map<unknown, unknown>([
      [1, 2],
      ['token', secret],
    ]),
  set: (secret) => new Set([{ token: secret }]),
  error: (secret) => Object.assign(new Error('failed', { cause: { session_id: secret } }), { stack: 'none' }),
  text: (secret) => ({ body: json({ token: secret } as never) }),
};

function survivors(secret: string, output: string): string[] {
  const runs: string[] = [];
  for (let at = 0; at + RUN <= secret.length; at += 1) {
    const run = secret.slice(at, at + RUN);
    if (output.includes(run)) runs.push(run);
  }
  return runs;
}

function check(secrets: fc.Arbitrary<string>, output: (secret: string) => string): void {
  const written = (secret: string): string[] => [secret, encodeURIComponent(secret), inner(secret)];
  // Text that also appears with another secret belongs to the context.
  const around = output('Xx9Xx9Xx9Xx9Xx9Xx9Xx9Xx9Xx9Xx9Xx9');
  fc.assert(
    fc.property(secrets, (secret) => {
      const redacted = output(secret);
      const found = written(secret).flatMap((form) => survivors(form, redacted));
      expect(found.filter((run) => !around.includes(run))).toEqual([]);
      expect(redacted).toContain('[REDACTED]');
    }),
    { numRuns: 300 },
  );
}

test.each(Object.entries(quoted))('hides a secret of any characters in %s', (_name, context) => {
  check(printable, (secret) => redactor.text(context(secret)));
});

test.each(Object.entries(lines))('hides a secret on its own line in %s', (_name, context) => {
  check(oneWord, (secret) => redactor.text(context(secret)));
});

test.each(Object.entries(bare))('hides an unquoted secret in %s', (_name, context) => {
  check(unspaced, (secret) => redactor.text(context(secret)));
});

test.each(Object.entries(tokens))('hides a token by its shape: %s', (_name, context) => {
  check(tokenLike, (secret) => redactor.text(context(secret)));
});

test.each(Object.entries(shapes))('hides a secret of any characters in the shape %s', (_name, shape) => {
  check(printable, (secret) => JSON.stringify(redactor.value(shape(secret))));
});

test('hides a live secret in every encoding', () => {
  check(printable, (secret) => {
    const { text } = createRedactor({ secrets: [secret] });
    const base64 = Buffer.from(`x:${secret}`).toString('base64');
    return text(`a ${secret} b ${inner(secret)} c ${encodeURIComponent(secret)} d ${base64}`);
  });
});
