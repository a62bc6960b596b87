import { expect, test } from 'vitest';
import { makeEnvelope, type Sketch } from '../../test/support/make-envelope.js';
import { OriginMap } from './origin-map.js';
import { SampleView } from './sample-view.js';
import { gradeDistance, securityGrade } from './security-grade.js';

const SOUND = {
  'content-security-policy': "default-src 'self'; object-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=15768000',
};

function gradeOf({ headers, ...rest }: Sketch = {}) {
  const origins = new OriginMap([{ left: 'https://a.test', right: 'https://b.test' }]);
  const envelope = makeEnvelope('left', { ...rest, headers: { ...SOUND, ...headers } });
  return securityGrade(new SampleView(envelope, { side: 'left', origins }));
}

const policy = (value: string) => ({ headers: { 'content-security-policy': value } });

test('a page with every protection gets all points', () => {
  expect(gradeOf()).toEqual({ letter: 'A', points: 100, losses: [] });
});

test.each<[Sketch, readonly string[]]>([
  [
    { headers: { 'content-security-policy': undefined } },
    ['no content-security-policy −25', 'any site may frame it −20'],
  ],
  [
    policy("script-src 'self' 'unsafe-inline'; object-src 'none'; frame-ancestors 'none'"),
    ["content-security-policy: script-src 'unsafe-inline' −15"],
  ],
  [
    policy("script-src 'self' 'unsafe-inline' 'unsafe-eval'; object-src 'none'; frame-ancestors 'none'"),
    ["content-security-policy: script-src 'unsafe-inline', script-src 'unsafe-eval' −20"],
  ],
  [
    policy(
      "script-src 'unsafe-inline' 'nonce-abc'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    ),
    [],
  ],
  [
    policy("script-src 'unsafe-inline' 'sha256-abc='; object-src 'none'; frame-ancestors 'none'"),
    ['content-security-policy: base-uri open −15'],
  ],
  [
    policy(
      "script-src 'strict-dynamic' https: 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors *",
    ),
    [],
  ],
  [
    policy("script-src * http: https: data: blob:; object-src 'none'; frame-ancestors 'none'"),
    [
      'content-security-policy: script-src *, script-src http:, script-src https:, script-src data:, script-src blob: −20',
    ],
  ],
  [
    policy(
      "script-src 'self'; script-src-elem 'unsafe-inline'; script-src-attr 'unsafe-eval'; object-src 'none'; frame-ancestors 'none'",
    ),
    ["content-security-policy: script-src-elem 'unsafe-inline', script-src-attr 'unsafe-eval' −20"],
  ],
  [policy("script-src 'self'; frame-ancestors 'none'"), ['content-security-policy: object-src open −15']],
  [
    policy("script-src 'self'; object-src *; frame-ancestors 'none'"),
    ['content-security-policy: object-src open −15'],
  ],
  [policy("img-src 'self'; frame-ancestors 'none'"), ['content-security-policy: script-src missing −15']],
  [policy("script-src 'unsafe-inline'; object-src 'none'; frame-ancestors 'none', default-src 'self'"), []],
  [
    { url: 'http://a.test/', headers: { 'strict-transport-security': undefined } },
    ['not served over https −20'],
  ],
  [{ headers: { 'strict-transport-security': undefined } }, ['no strict-transport-security −20']],
  [{ headers: { 'strict-transport-security': 'max-age=0' } }, ['no strict-transport-security −20']],
  [{ headers: { 'strict-transport-security': 'preload' } }, ['no strict-transport-security −20']],
  [
    { headers: { 'strict-transport-security': 'max-age=15767999' } },
    ['strict-transport-security max-age is short −10'],
  ],
  [policy("default-src 'self'; object-src 'none'"), ['any site may frame it −20']],
  [{ headers: { ...policy("default-src 'self'").headers, 'x-frame-options': ' DENY ' } }, []],
  [{ headers: { ...policy("default-src 'self'").headers, 'x-frame-options': 'sameorigin' } }, []],
  [
    { headers: { ...policy("default-src 'self'").headers, 'x-frame-options': 'allowall' } },
    ['any site may frame it −20'],
  ],
  [{ headers: { 'x-content-type-options': undefined } }, ['no nosniff −5']],
  [{ headers: { 'x-content-type-options': ' NoSniff ' } }, []],
  [{ headers: { 'referrer-policy': 'origin, Unsafe-URL' } }, ['referrer-policy leaks URLs −5']],
  [{ headers: { 'referrer-policy': 'unsafe-url, origin' } }, []],
  [{ headers: { 'referrer-policy': 'unsafe-url, unknown' } }, ['referrer-policy leaks URLs −5']],
  [{ cookies: [{ name: 'sid', secure: false }] }, ['a session cookie without Secure −40']],
  [{ cookies: [{ name: 'sid', httpOnly: false }] }, ['a session cookie without HttpOnly −30']],
  [{ cookies: [{ name: 'theme', secure: false }] }, ['a cookie without Secure −20']],
  [{ cookies: [{ name: 'theme', httpOnly: false }] }, []],
  [
    { url: 'http://a.test/', cookies: [{ name: 'sid', secure: false, httpOnly: false }] },
    ['a session cookie without HttpOnly −30', 'not served over https −20'],
  ],
  [
    { headers: { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' } },
    ['CORS is open with credentials −50'],
  ],
  [{ headers: { 'access-control-allow-origin': '*' } }, []],
  [
    {
      headers: {
        'access-control-allow-origin': 'https://a.test',
        'access-control-allow-credentials': 'true',
      },
    },
    [],
  ],
])('%j costs %j', (sketch, losses) => {
  const grade = gradeOf(sketch);
  expect(grade.losses).toEqual(losses);
  const sum = losses.reduce((total, loss) => total + Number(loss.split('−').at(-1)), 0);
  expect(grade.points).toBe(100 - sum);
});

test.each([
  [{ headers: { 'x-content-type-options': undefined, 'strict-transport-security': 'max-age=1' } }, 'A', 85],
  [{ headers: { 'strict-transport-security': undefined } }, 'B', 80],
  [{ cookies: [{ name: 'a', secure: false }], headers: { 'strict-transport-security': undefined } }, 'C', 60],
  [
    { cookies: [{ name: 'sid', secure: false }], headers: { 'strict-transport-security': undefined } },
    'D',
    40,
  ],
  [
    {
      cookies: [{ name: 'sid', secure: false }],
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-credentials': 'true',
        'strict-transport-security': undefined,
      },
    },
    'F',
    0,
  ],
] as const)('%j is graded %s with %i points', (sketch: Sketch, letter, points) => {
  expect(gradeOf(sketch)).toMatchObject({ letter, points });
});

test('the distance is in letters, and positive if the second grade is worse', () => {
  const grades = (['A', 'B', 'C', 'D', 'F'] as const).map((letter) => ({ letter, points: 0, losses: [] }));
  const [best] = grades;
  if (!best) throw new Error('no grade');
  expect(grades.map((grade) => gradeDistance(best, grade))).toEqual([0, 1, 2, 3, 4]);
  expect(grades.map((grade) => gradeDistance(grade, best))).toEqual([0, -1, -2, -3, -4]);
});
