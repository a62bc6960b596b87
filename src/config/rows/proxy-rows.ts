/** Settings of the durable proxy. */
import type { SettingRow } from '../setting-row.js';
import { count, secretPair, size, time } from './forms.js';

export const PROXY_ROWS = [
  {
    key: 'proxy.allow',
    flag: 'proxy-allow',
    takes: 'list',
    placeholder: 'PATTERN,…',
    about: 'upstreams the proxy may call; none if empty',
    schema: (is) => is.listOf(is.text(2048)),
    form: 'patterns such as api.example.com, https://*.example.com/v1/* or private:http://localhost:*/**',
    default: [],
  },
  {
    key: 'proxy.routes',
    flag: 'proxy-routes',
    takes: 'json',
    placeholder: 'JSON',
    about: 'named upstreams under /r/, each with the source of its credential, and its tenants and paths',
    schema: (is) => is.proxyRoutes,
    form: 'a map such as {"openai":{"url":"https://api.openai.com","credential":"env:OPENAI_API_KEY","tenants":["acme"]}}',
    default: {},
  },
  {
    key: 'proxy.signingSecret',
    flag: 'signing-secret',
    about: 'secret that signs URLs, optionally followed by the previous one',
    ...secretPair,
  },
  {
    key: 'proxy.headersMs',
    flag: 'proxy-headers-ms',
    about:
      'how long an upstream may take to send its response headers; a route can override it with headersMs',
    ...time('100ms', '1h', '60s'),
  },
  {
    key: 'proxy.bodyBytesMax',
    flag: 'proxy-body-bytes-max',
    about: 'largest request body sent upstream; bodies are streamed, not held in memory',
    ...size('1KiB', '64GiB', '100MiB'),
  },
  {
    key: 'proxy.idleMs',
    flag: 'proxy-idle-ms',
    about: 'how long an upstream may pause while sending its response body',
    ...time('100ms', '24h', '10m'),
  },
  {
    key: 'proxy.responseBytesMax',
    flag: 'proxy-response-bytes-max',
    about: 'largest upstream response',
    ...size('1KiB', '64GiB', '1GiB'),
  },
  {
    key: 'proxy.flushBytes',
    flag: 'proxy-flush-bytes',
    about: 'how much of a response is buffered before a write while the store is busy',
    ...size('1', '256KiB', '4KiB'),
  },
  {
    key: 'proxy.flushMs',
    flag: 'proxy-flush-ms',
    about: 'how long part of a response is buffered before a write while the store is busy',
    ...time('1ms', '10s', '50ms'),
  },
  {
    key: 'proxy.keepMs',
    flag: 'proxy-keep-ms',
    about: 'how long stored responses and idempotency keys are kept',
    ...time('1s', '720h', '24h'),
  },
  {
    key: 'proxy.urlMs',
    flag: 'proxy-url-ms',
    about: 'how long a signed URL is valid',
    ...time('1s', '720h', '24h'),
  },
  {
    key: 'proxy.orphanPolicy',
    flag: 'proxy-orphan-policy',
    takes: 'text',
    placeholder: 'POLICY',
    about: 'what happens to a response that nobody is reading',
    schema: (is) => is.orphanPolicy,
    form: 'keep, or cancel-after= followed by a time up to 24h, such as cancel-after=30s',
    default: 'keep',
  },
  {
    key: 'proxy.streamsMax',
    flag: 'proxy-streams-max',
    about: 'upstream responses in progress at once',
    ...count(1, 100_000, 5000),
  },
] as const satisfies readonly SettingRow[];
