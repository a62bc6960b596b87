/**
 * The schema of each setting in the table (`setting-rows.ts`), and the types that derive from both. A row without a
 * schema, or a schema without a row, does not compile.
 */
import * as z from 'zod';
import type { SETTING_ROWS, SettingKey } from './setting-rows.js';
import * as value from './value-schemas.js';

/** Each entry is compared on every request, and a longer list is most likely a mistake. */
const ENTRIES_MAX = 256;
const listOf = <Entry extends z.ZodType>(entry: Entry) => z.array(entry).max(ENTRIES_MAX);

export const SETTING_SCHEMAS = {
  'server.host': value.host,
  'server.port': value.whole({ min: 0, max: 65_535 }),
  'server.data': value.path,
  'server.auth': z.enum(['jwt', 'none']),
  'server.publicUrl': value.origin,
  'server.trustProxy': listOf(value.ipOrCidr),
  'server.corsOrigin': listOf(value.origin),
  'server.bodyBytesMax': value.size({ min: 2 ** 10, max: 2 ** 30 }),
  'server.headerBytesMax': value.size({ min: 2 ** 10, max: 2 ** 20 }),
  'server.streamBytesMax': value.size({ min: 2 ** 10, max: 2 ** 40 }),
  'server.connectionsMax': value.whole({ min: 10, max: 1_000_000 }),
  'server.ratePerMinute': value.whole({ min: 0, max: 10_000_000 }),
  'server.drainMs': value.time({ min: 0, max: 24 * 3_600_000 }),
  'server.longPollMs': value.time({ min: 100, max: 600_000 }),
  'server.sseMs': value.time({ min: 100, max: 3_600_000 }),
  'auth.jwtSecret': value.secret(32),
  'auth.jwks': value.urlOrPath,
  'auth.issuer': value.text(1024),
  'auth.audience': value.text(1024),
  'auth.serviceTokens': listOf(value.serviceToken),
  'net.allowPrivate': listOf(value.origin),
  'net.ca': value.path,
  'net.connectTo': value.connectTo,
  'net.dnsServers': listOf(value.dnsServer),
  'net.userAgent': value.userAgent,
  'proxy.allow': listOf(value.text(2048)),
  'proxy.routes': z.record(value.proxyRouteName, value.proxyRoute),
  'proxy.signingSecret': z.array(value.secret(32)).min(1).max(2),
  'proxy.headersMs': value.time({ min: 100, max: 3_600_000 }),
  'proxy.bodyBytesMax': value.size({ min: 2 ** 10, max: 2 ** 36 }),
  'proxy.idleMs': value.time({ min: 100, max: 24 * 3_600_000 }),
  'proxy.responseBytesMax': value.size({ min: 2 ** 10, max: 2 ** 36 }),
  'proxy.flushBytes': value.size({ min: 1, max: 2 ** 18 }),
  'proxy.flushMs': value.time({ min: 1, max: 10_000 }),
  'proxy.keepMs': value.time({ min: 1000, max: 720 * 3_600_000 }),
  'proxy.urlMs': value.time({ min: 1000, max: 720 * 3_600_000 }),
  'proxy.orphanPolicy': value.orphanPolicy,
  'proxy.streamsMax': value.whole({ min: 1, max: 100_000 }),
  'explain.baseUrl': z
    .string()
    .max(2048)
    .regex(/^https?:\/\/[^\s?#@]+$/),
  'explain.model': value.text(200),
  'explain.key': value.text(8192),
  'explain.timeoutMs': value.time({ min: 1000, max: 600_000 }),
  'jobs.databaseUrl': value.postgresUrl,
  'jobs.concurrency': value.whole({ min: 0, max: 1000 }),
  'jobs.leaseMs': value.time({ min: 1000, max: 3_600_000 }),
  'jobs.durationMs': value.time({ min: 1000, max: 20 * 86_400_000 }),
  'jobs.maxAttempts': value.whole({ min: 1, max: 100 }),
  'jobs.pollMs': value.time({ min: 50, max: 60_000 }),
  'jobs.retentionMs': value.time({ min: 60_000, max: 3650 * 86_400_000 }),
  'jobs.webhookSecret': value.secret(32),
  'jobs.sealingSecret': z.array(value.secret(32)).min(1).max(2),
  'worker.healthPort': value.whole({ min: 0, max: 65_535 }),
  'worker.healthHost': value.host,
  'compare.probeMs': value.time({ min: 100, max: 30_000 }),
  'compare.redirectsMax': value.whole({ min: 0, max: 20 }),
  'compare.confirmSamples': value.whole({ min: 1, max: 50 }),
  'compare.kept': value.whole({ min: 1, max: 10_000 }),
  'compare.retentionMs': value.time({ min: 60_000, max: 3650 * 86_400_000 }),
  'audit.fetchMs': value.time({ min: 100, max: 300_000 }),
  'audit.bodyBytesMax': value.size({ min: 2 ** 16, max: 100 * 2 ** 20 }),
  'audit.redirectsMax': value.whole({ min: 0, max: 20 }),
  'client.server': value.origin,
  'client.token': value.text(8192),
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
