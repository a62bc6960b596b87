/** Settings of outbound requests: the egress layer, the model for explanations, and the server that commands call. */
import type { SettingRow } from '../setting-row.js';
import { text, time } from './forms.js';

export const NET_ROWS = [
  {
    key: 'net.allowPrivate',
    flag: 'allow-private',
    takes: 'list',
    placeholder: 'ORIGIN,…',
    about: 'private origins that requests may reach',
    schema: (is) => is.listOf(is.origin),
    form: 'http or https origins such as http://127.0.0.1:8080',
    default: [],
  },
  {
    key: 'net.ca',
    flag: 'ca',
    takes: 'text',
    placeholder: 'FILE',
    about: 'PEM file of additional certificate authorities to trust',
    schema: (is) => is.path,
    form: 'the path of a PEM file',
  },
  {
    key: 'net.connectTo',
    flag: 'connect-to',
    takes: 'map',
    placeholder: 'NAME=ADDRESS:PORT,…',
    about: 'connect to this address instead of resolving the name',
    schema: (is) => is.connectTo,
    form: 'a map of name or name:port to address:port, such as example.com=192.0.2.1:8443',
    default: {},
  },
  {
    key: 'net.dnsServers',
    flag: 'dns-servers',
    takes: 'list',
    placeholder: 'ADDRESS,…',
    about: "DNS servers to query; the system's if empty",
    schema: (is) => is.listOf(is.dnsServer),
    form: 'IP addresses with an optional port, such as 9.9.9.9 or [2620:fe::fe]:53',
    default: [],
  },
  {
    key: 'net.userAgent',
    flag: 'user-agent',
    takes: 'text',
    placeholder: 'TEXT',
    about: 'User-Agent of outbound requests',
    schema: (is) => is.userAgent,
    form: 'printable ASCII text of 1 to 256 characters',
    default: 'SondeBot/1.0',
  },
] as const satisfies readonly SettingRow[];

export const EXPLAIN_ROWS = [
  {
    key: 'explain.baseUrl',
    flag: 'explain-base-url',
    takes: 'text',
    placeholder: 'URL',
    about: 'base URL of an OpenAI-compatible endpoint that explains comparisons',
    schema: (is) => is.baseUrl,
    form: 'an http or https URL without a query, such as https://api.example.com/v1',
    unset: 'rule-based explanations only',
  },
  {
    key: 'explain.model',
    flag: 'explain-model',
    placeholder: 'NAME',
    about: 'name of the model to use',
    ...text(200),
  },
  {
    key: 'explain.key',
    flag: 'explain-key',
    placeholder: 'KEY',
    about: 'API key of the endpoint; prefer the environment variable',
    ...text(8192),
    secret: true,
  },
  {
    key: 'explain.timeoutMs',
    flag: 'explain-timeout-ms',
    about: 'how long the model may take for one explanation',
    ...time('1s', '10m', '60s'),
  },
] as const satisfies readonly SettingRow[];

export const CLIENT_ROWS = [
  {
    key: 'client.server',
    flag: 'server',
    takes: 'text',
    placeholder: 'ORIGIN',
    about: 'Sonde server that client commands call',
    schema: (is) => is.origin,
    form: 'an http or https origin such as https://sonde.example.com',
    default: 'http://127.0.0.1:4747',
  },
  {
    key: 'client.token',
    flag: 'token',
    placeholder: 'TOKEN',
    about: 'service token that client commands send',
    ...text(8192),
    unset: "minted from the data folder's secret if the server runs on this machine",
    secret: true,
  },
] as const satisfies readonly SettingRow[];
