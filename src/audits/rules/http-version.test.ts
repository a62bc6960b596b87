import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpVersion } from './http-version.js';

const alpn = (negotiated: string | null) => ({ alpn: { origin: 'https://www.example.com', negotiated } });

it('fires for HTTP/1.1 and if no protocol is negotiated', () => {
  expect(outcomeOf(httpVersion, [page('/')], { probes: alpn('http/1.1') })).toMatchObject({
    status: 'fail',
    evidence: [{ observed: 'http/1.1' }],
  });
  expect(outcomeOf(httpVersion, [page('/')], { probes: alpn(null) }).status).toBe('fail');
});

it('stays silent for h2 and for h3 in Alt-Svc, and is not measured without a probe', () => {
  expect(outcomeOf(httpVersion, [page('/')], { probes: alpn('h2') }).status).toBe('pass');
  const headers = [['alt-svc', 'h3=":443"; ma=86400']] as const;
  expect(outcomeOf(httpVersion, [page('/', { headers })], { probes: alpn('http/1.1') }).status).toBe('pass');
  expect(outcomeOf(httpVersion, [page('/')]).status).toBe('not-measured');
  const plain = { origin: 'http://www.example.com', homeUrl: 'http://www.example.com/' };
  expect(outcomeOf(httpVersion, [page('/')], plain).status).toBe('not-applicable');
});
