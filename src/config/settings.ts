/**
 * The schema of each setting in the table (`setting-rows.ts`), and the types that derive from both. A row without a
 * schema, or a schema without a row, does not compile.
 */
import * as z from 'zod';
import type { SETTING_ROWS, SettingKey } from './setting-rows.js';
import {
  connectTo,
  dnsServer,
  host,
  ipOrCidr,
  origin,
  orphanPolicy,
  path,
  postgresUrl,
  proxyRoute,
  proxyRouteName,
  secret,
  serviceToken,
  size,
  text,
  time,
  urlOrPath,
  userAgent,
  whole,
} from './value-schemas.js';

/** Each entry is compared on every request, and a longer list is most likely a mistake. */
const ENTRIES_MAX = 256;
const listOf = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).max(ENTRIES_MAX);

export const SETTING_SCHEMAS = {
  'server.host': host,
  'server.port': whole({ min: 0, max: 65_535 }),
  'server.data': path,
  'server.auth': z.enum(['jwt', 'none']),
  'server.publicUrl': origin,
  'server.trustProxy': listOf(ipOrCidr),
  'server.corsOrigin': listOf(origin),
  'server.bodyBytesMax': size({ min: 2 ** 10, max: 2 ** 30 }),
  'server.headerBytesMax': size({ min: 2 ** 10, max: 2 ** 20 }),
  'server.connectionsMax': whole({ min: 10, max: 1_000_000 }),
  'server.ratePerMinute': whole({ min: 0, max: 10_000_000 }),
  'server.drainMs': time({ min: 0, max: 24 * 3_600_000 }),
  'server.longPollMs': time({ min: 100, max: 600_000 }),
  'server.sseMs': time({ min: 100, max: 3_600_000 }),
  'auth.jwtSecret': secret(32),
  'auth.jwks': urlOrPath,
  'auth.issuer': text(1024),
  'auth.audience': text(1024),
  'auth.serviceTokens': listOf(serviceToken),
  'net.allowPrivate': listOf(origin),
  'net.ca': path,
  'net.connectTo': connectTo,
  'net.dnsServers': listOf(dnsServer),
  'net.userAgent': userAgent,
  'proxy.allow': listOf(text(2048)),
  'proxy.routes': z.record(proxyRouteName, proxyRoute),
  'proxy.signingSecret': z.array(secret(32)).min(1).max(2),
  'proxy.headersMs': time({ min: 100, max: 3_600_000 }),
  'proxy.bodyBytesMax': size({ min: 2 ** 10, max: 2 ** 36 }),
  'proxy.idleMs': time({ min: 100, max: 24 * 3_600_000 }),
  'proxy.responseBytesMax': size({ min: 2 ** 10, max: 2 ** 36 }),
  'proxy.flushBytes': size({ min: 1, max: 2 ** 18 }),
  'proxy.flushMs': time({ min: 1, max: 10_000 }),
  'proxy.keepMs': time({ min: 1000, max: 720 * 3_600_000 }),
  'proxy.urlMs': time({ min: 1000, max: 720 * 3_600_000 }),
  'proxy.orphanPolicy': orphanPolicy,
  'proxy.streamsMax': whole({ min: 1, max: 100_000 }),
  'explain.baseUrl': z
    .string()
    .max(2048)
    .regex(/^https?:\/\/[^\s?#@]+$/),
  'explain.model': text(200),
  'explain.key': text(8192),
  'explain.timeoutMs': time({ min: 1000, max: 600_000 }),
  'jobs.databaseUrl': postgresUrl,
  'jobs.concurrency': whole({ min: 0, max: 1000 }),
  'jobs.leaseMs': time({ min: 1000, max: 3_600_000 }),
  'jobs.maxAttempts': whole({ min: 1, max: 100 }),
  'jobs.pollMs': time({ min: 50, max: 60_000 }),
  'jobs.retentionMs': time({ min: 60_000, max: 3650 * 86_400_000 }),
  'jobs.webhookSecret': secret(32),
  'jobs.sealingSecret': z.array(secret(32)).min(1).max(2),
  'compare.probeMs': time({ min: 100, max: 30_000 }),
  'compare.redirectsMax': whole({ min: 0, max: 20 }),
  'compare.kept': whole({ min: 1, max: 10_000 }),
  'compare.retentionMs': time({ min: 60_000, max: 3650 * 86_400_000 }),
  'audit.fetchMs': time({ min: 100, max: 300_000 }),
  'audit.bodyBytesMax': size({ min: 2 ** 16, max: 100 * 2 ** 20 }),
  'audit.redirectsMax': whole({ min: 0, max: 20 }),
  'client.server': origin,
  'client.token': text(8192),
  'log.level': z.enum(['debug', 'info', 'warn', 'error']),
  'log.format': z.enum(['json', 'pretty']),
} as const satisfies Record<SettingKey, z.ZodType>;

type Rows = (typeof SETTING_ROWS)[number];
type Parsed<K extends SettingKey> = z.output<(typeof SETTING_SCHEMAS)[K]>;
type Written<K extends SettingKey> = z.input<(typeof SETTING_SCHEMAS)[K]>;

/** The value of one setting; never undefined if its row has a default. */
type SettingValue<K extends SettingKey> =
  Extract<Rows, { key: K }> extends { default: unknown } ? Parsed<K> : Parsed<K> | undefined;

type Group = SettingKey extends `${infer G}.${string}` ? G : never;
type NameIn<G extends string, K extends string> = K extends `${G}.${infer N}` ? N : never;

/** Every setting, resolved and typed: `settings.server.port`. */
export type Settings = {
  readonly [G in Group]: { readonly [K in SettingKey as NameIn<G, K>]: SettingValue<K> };
};

/** The content of a configuration file. */
export type SondeConfig = { $schema?: string } & {
  [G in Group]?: { [K in SettingKey as NameIn<G, K>]?: Written<K> };
};
