// The cost of redaction: an ordinary log line, and one megabyte of hostile input (repeated openings of its own
// patterns). Prints the time for each and the growth from half a megabyte, best of five runs.
import { createRedactor } from 'sonde/net';

const MEGABYTE = 1_000_000;
const RUNS = 5;

const HOSTILE = [
  'token=,',
  'token= ',
  '"token: ',
  '\\u0026token=',
  'a=',
  '"a":"',
  '\\"',
  '-----BEGIN ',
  '-----BEGIN RSA PRIVATE KEY-----\n',
  'eyJ',
  'eyJhbGciOiJIUzI1NiJ9.',
  'Authorization: ',
  'Bearer ',
  'Cookie: a=b; ',
  'https://a:b@',
  '://',
  '@',
  'sk-',
  'ghp_',
  'AKIA',
  'QUJD',
  ' ',
  '[[',
  '{"password":',
  '--password ',
  '%3Ftoken%3D',
  '&amp;token=',
];

/** @param {() => void} act */
function best(act) {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < RUNS; i++) {
    const startedAt = performance.now();
    act();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

export async function run() {
  const redactor = createRedactor();
  const line =
    '2026-01-02T03:04:05Z info request method=GET route=/api/compare/{id} status=200 ms=12 requestId=3fa85f64-5717-4562-b3fc-2c963f66afa6 tenant=acme';
  const lines = best(() => {
    for (let i = 0; i < 10_000; i++) redactor.text(line);
  });
  console.log(
    `redact  ordinary log line of ${line.length} characters: ${((lines / 10_000) * 1000).toFixed(1)} us`,
  );
  const rows = HOSTILE.map((part) => {
    const whole = part.repeat(Math.ceil(MEGABYTE / part.length));
    const half = part.repeat(Math.ceil(MEGABYTE / 2 / part.length));
    const ms = best(() => void redactor.text(whole));
    return { part, ms, growth: ms / best(() => void redactor.text(half)) };
  }).sort((a, b) => b.ms - a.ms);
  for (const { part, ms, growth } of rows.slice(0, 6)) {
    console.log(
      `redact  1 MB of ${JSON.stringify(part).padEnd(24)} ${ms.toFixed(0)} ms, ${growth.toFixed(2)} x half of it`,
    );
  }
}
