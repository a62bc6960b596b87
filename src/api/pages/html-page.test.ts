import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { appForTests } from '../../../test/support/app-for-tests.js';
import { escapeHtml } from '../../escape-html.js';
import { createLocalAuthenticator } from '../auth/local-authenticator.js';
import { landingPage } from './landing-page.js';

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('the page is a single response whose policy lists its own parts, with nothing loaded from elsewhere', async () => {
  const response = await appForTests().app.request('/');
  const policy = response.headers.get('content-security-policy') ?? '';
  const html = await response.text();
  const inline = [...html.matchAll(/<(style|script)>([\s\S]*?)<\/\1>/g)].map(([, , text = '']) => hash(text));
  expect(inline.length).toBeGreaterThanOrEqual(2);
  for (const source of inline) expect(policy).toContain(source);
  expect(policy.match(/'sha256-/g)).toHaveLength(inline.length);
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(html).not.toMatch(/\son\w+=|\sstyle=/);
});

test('the mark is served as the favicon', async () => {
  const response = await appForTests().app.request('/favicon.svg');
  expect(response.headers.get('content-type')).toBe('image/svg+xml');
  expect(await response.text()).toContain('<circle');
});

test('the page says how to log in, or that authentication is off', async () => {
  expect(await (await appForTests().app.request('/')).text()).toContain('login link');
  const open = appForTests({ login: undefined as never, authenticator: createLocalAuthenticator([]) }).app;
  expect(await (await open.request('/')).text()).toContain('without authentication');
});

test('text is escaped', () => {
  expect(escapeHtml(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
  expect(landingPage({ version: '<b>', authenticated: true }).html).not.toContain('<b>');
});
