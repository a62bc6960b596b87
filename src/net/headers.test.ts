import { expect, test } from 'vitest';
import { cleanRequestHeaders } from './headers.js';

test.each([
  'True-Client-IP',
  'X-Client-IP',
  'Client-IP',
  'CF-Connecting-IP',
  'CF-Connecting-IPv6',
  'Fastly-Client-IP',
  'Fly-Client-IP',
  'X-Cluster-Client-IP',
  'X-Azure-ClientIP',
  'X-Azure-SocketIP',
  'X-AppEngine-User-IP',
  'X-Remote-Addr',
  'X-Originating-IP',
  'X-ProxyUser-Ip',
  'WL-Proxy-Client-IP',
  'X-Vercel-Forwarded-For',
  'X-NF-Client-Connection-IP',
  'X-Forwarded',
  'X-Forwarded-For',
  'X_Forwarded_For',
  'X.Real.IP',
  'X-Envoy-External-Address',
  'X-Remote-User',
  'SSL-Client-Cert',
  'X-ARR-ClientCert',
  'CloudFront-Viewer-Address',
  'X-Akamai-Edgescape',
  'Tailscale-User-Login',
])('%s, which claims another client, is dropped', (name) => {
  expect(cleanRequestHeaders([[name, '10.0.0.1']])).toEqual([]);
});

test.each([
  'X-Original-URL',
  'X-Original-URI',
  'X-Rewrite-URL',
  'X-Override-URL',
  'X-HTTP-Method',
  'X-HTTP-Method-Override',
  'X-Method-Override',
  'X_HTTP_Method_Override',
  'X-Original-Method',
  'X-Original-Host',
  'X-Host-Override',
  'X-Forwarded-Prefix',
  'X-Forwarded-Uri',
  'X-Envoy-Original-Path',
])('%s, which overrides what was judged, is dropped', (name) => {
  expect(cleanRequestHeaders([[name, '/admin']])).toEqual([]);
});

test.each([
  'Accept',
  'X-Api-Key',
  'OpenAI-Organization',
  'X-Feature-Override',
  'X-Client-Version',
  'User-Agent',
  'X-Real',
])('%s is kept', (name) => {
  expect(cleanRequestHeaders([[name, '1']])).toEqual([[name.toLowerCase(), '1']]);
});
