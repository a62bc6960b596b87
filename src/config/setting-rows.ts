/**
 * The one table of settings, in its light half: names, text forms and defaults, without a schema.
 *
 * Everything else derives from it: the flag is `--` + `flag`, the variable `SONDE_` + the flag in upper
 * snake case, the place in a configuration file is `key`. It imports nothing, so that `--help` can list
 * every flag without loading zod; `settings.ts` joins a schema to each row and does not compile if one
 * is missing.
 */
export interface SettingRow {
  readonly key: `${string}.${string}`;
  readonly flag: string;
  /** How the text of a flag or variable becomes the value that a file would hold. */
  readonly takes: 'text' | 'number' | 'list' | 'map' | 'json';
  /** What stands for the value in help. */
  readonly placeholder: string;
  readonly about: string;
  /** The allowed form, completing "expected …". */
  readonly form: string;
  readonly default?: string | number | readonly string[] | Readonly<Record<string, string>>;
  /** What counts when it is not set and has no fixed default. */
  readonly unset?: string;
  readonly choices?: readonly string[];
  /** Never shown: not in messages, not by `config show`. */
  readonly secret?: true;
  /** The variable's name, where the world has one of its own for it. */
  readonly env?: string;
}

export const SETTING_ROWS = [
  {
    key: 'server.host',
    flag: 'host',
    takes: 'text',
    placeholder: 'ADDRESS',
    about: 'address to listen on',
    form: 'a host name or an IP address, without brackets',
    default: '127.0.0.1',
  },
  {
    key: 'server.port',
    flag: 'port',
    takes: 'number',
    placeholder: 'PORT',
    about: 'port to listen on; 0 takes a free one',
    form: 'a whole number from 0 to 65535',
    default: 4747,
  },
  {
    key: 'server.data',
    flag: 'data',
    takes: 'text',
    placeholder: 'FOLDER',
    about: 'folder that holds state and keys',
    form: 'the path of a folder',
    default: './sonde-data',
  },
  {
    key: 'server.auth',
    flag: 'auth',
    takes: 'text',
    placeholder: 'MODE',
    about: 'who may call; none works on a loopback host only',
    form: 'jwt or none',
    default: 'jwt',
    choices: ['jwt', 'none'],
  },
  {
    key: 'server.publicUrl',
    flag: 'public-url',
    takes: 'text',
    placeholder: 'ORIGIN',
    about: 'origin under which clients reach this server',
    form: 'an http or https origin such as https://sonde.example.com',
  },
  {
    key: 'server.trustProxy',
    flag: 'trust-proxy',
    takes: 'list',
    placeholder: 'ADDRESS,…',
    about: 'peers whose X-Forwarded-* headers count',
    form: 'IP addresses or CIDR ranges such as 10.0.0.0/8',
    default: [],
  },
  {
    key: 'server.corsOrigin',
    flag: 'cors-origin',
    takes: 'list',
    placeholder: 'ORIGIN,…',
    about: 'browser origins that may call; all when empty, never with credentials',
    form: 'http or https origins such as https://app.example.com',
    default: [],
  },
  {
    key: 'server.bodyBytesMax',
    flag: 'body-bytes-max',
    takes: 'number',
    placeholder: 'SIZE',
    about: 'largest request body',
    form: 'a size from 1KiB to 1GiB such as 10MiB, or a number of bytes',
    default: '10MiB',
  },
  {
    key: 'server.headerBytesMax',
    flag: 'header-bytes-max',
    takes: 'number',
    placeholder: 'SIZE',
    about: 'largest request head',
    form: 'a size from 1KiB to 1MiB such as 16KiB, or a number of bytes',
    default: '16KiB',
  },
  {
    key: 'server.ratePerMinute',
    flag: 'rate-per-minute',
    takes: 'number',
    placeholder: 'COUNT',
    about: 'requests a caller may make in a minute; 0 is no limit',
    form: 'a whole number from 0 to 10000000',
    default: 6000,
  },
  {
    key: 'server.drainMs',
    flag: 'drain-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how long a stop waits for open requests',
    form: 'a time from 0 to 10m such as 10s, or a number of milliseconds',
    default: '10s',
  },
  {
    key: 'server.longPollMs',
    flag: 'long-poll-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how long a long-poll waits for an append',
    form: 'a time from 100 to 10m such as 20s, or a number of milliseconds',
    default: '20s',
  },
  {
    key: 'auth.jwtSecret',
    flag: 'jwt-secret',
    takes: 'text',
    placeholder: 'SECRET',
    about: 'HS256 secret of service tokens',
    form: 'text of at least 32 bytes',
    unset: 'the one in the data folder',
    secret: true,
  },
  {
    key: 'auth.jwks',
    flag: 'jwks',
    takes: 'text',
    placeholder: 'URL|FILE',
    about: 'public keys that service tokens are checked with',
    form: 'an http or https URL, or the path of a JWKS file',
  },
  {
    key: 'auth.issuer',
    flag: 'jwt-issuer',
    takes: 'text',
    placeholder: 'NAME',
    about: 'the iss claim that a token must carry',
    form: 'text of 1 to 1024 characters',
  },
  {
    key: 'auth.audience',
    flag: 'jwt-audience',
    takes: 'text',
    placeholder: 'NAME',
    about: 'the aud claim that a token must carry',
    form: 'text of 1 to 1024 characters',
  },
  {
    key: 'auth.serviceTokens',
    flag: 'service-tokens',
    takes: 'json',
    placeholder: 'JSON',
    about: 'static tokens, each bound to a tenant and scopes',
    form: 'a list like [{"token":"32 characters or more","tenant":"default","scopes":["stream:read"]}]',
    default: [],
    secret: true,
  },
  {
    key: 'net.allowPrivate',
    flag: 'allow-private',
    takes: 'list',
    placeholder: 'ORIGIN,…',
    about: 'private origins that requests may reach',
    form: 'http or https origins such as http://127.0.0.1:8080',
    default: [],
  },
  {
    key: 'net.ca',
    flag: 'ca',
    takes: 'text',
    placeholder: 'FILE',
    about: 'PEM file of certificate authorities to trust as well',
    form: 'the path of a PEM file',
  },
  {
    key: 'net.connectTo',
    flag: 'connect-to',
    takes: 'map',
    placeholder: 'NAME=ADDRESS:PORT,…',
    about: 'dial this address for that name',
    form: 'a map of name or name:port to address:port, such as example.com=192.0.2.1:8443',
    default: {},
  },
  {
    key: 'net.dnsServers',
    flag: 'dns-servers',
    takes: 'list',
    placeholder: 'ADDRESS,…',
    about: 'DNS servers to ask; those of the machine when empty',
    form: 'IP addresses with an optional port, such as 9.9.9.9 or [2620:fe::fe]:53',
    default: [],
  },
  {
    key: 'net.userAgent',
    flag: 'user-agent',
    takes: 'text',
    placeholder: 'TEXT',
    about: 'User-Agent of outbound requests',
    form: 'printable ASCII text of 1 to 256 characters',
    default: 'SondeBot/1.0',
  },
  {
    key: 'jobs.databaseUrl',
    flag: 'database-url',
    env: 'DATABASE_URL',
    takes: 'text',
    placeholder: 'URL',
    about: 'PostgreSQL database that holds jobs and tenants',
    form: 'a URL such as postgres://user:password@host:5432/sonde',
    unset: 'a SQLite file in the data folder',
    secret: true,
  },
  {
    key: 'jobs.concurrency',
    flag: 'job-concurrency',
    takes: 'number',
    placeholder: 'COUNT',
    about: 'jobs that this process runs at the same time; 0 runs none',
    form: 'a whole number from 0 to 1000',
    default: 10,
  },
  {
    key: 'jobs.leaseMs',
    flag: 'job-lease-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how long a worker that fell silent keeps its jobs',
    form: 'a time from 1s to 1h such as 5m, or a number of milliseconds',
    default: '5m',
  },
  {
    key: 'jobs.maxAttempts',
    flag: 'job-attempts',
    takes: 'number',
    placeholder: 'COUNT',
    about: 'how often a job is begun at most',
    form: 'a whole number from 1 to 100',
    default: 3,
  },
  {
    key: 'jobs.pollMs',
    flag: 'job-poll-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how often a worker looks for jobs that no hint told of',
    form: 'a time from 50 to 1m such as 1s, or a number of milliseconds',
    default: '1s',
  },
  {
    key: 'jobs.retentionMs',
    flag: 'job-retention-ms',
    takes: 'number',
    placeholder: 'TIME',
    about: 'how long ended jobs and their events are kept',
    form: 'a time from 1m to 3650d such as 30d, or a number of milliseconds',
    default: '30d',
  },
  {
    key: 'jobs.webhookSecret',
    flag: 'webhook-secret',
    takes: 'text',
    placeholder: 'SECRET',
    about: "what tenants' webhook secrets are derived from; the same on every process of a cluster",
    form: 'text of at least 32 bytes',
    unset: 'the one in the data folder',
    secret: true,
  },
  {
    key: 'client.server',
    flag: 'server',
    takes: 'text',
    placeholder: 'ORIGIN',
    about: 'the Sonde server that a client command calls',
    form: 'an http or https origin such as https://sonde.example.com',
    default: 'http://127.0.0.1:4747',
  },
  {
    key: 'client.token',
    flag: 'token',
    takes: 'text',
    placeholder: 'TOKEN',
    about: 'the service token that a client command sends',
    form: 'text of 1 to 8192 characters',
    unset: "one minted from the data folder's secret, for a server on this machine",
    secret: true,
  },
  {
    key: 'log.level',
    flag: 'log-level',
    takes: 'text',
    placeholder: 'LEVEL',
    about: 'least important lines to log',
    form: 'debug, info, warn or error',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error'],
  },
  {
    key: 'log.format',
    flag: 'log-format',
    takes: 'text',
    placeholder: 'FORMAT',
    about: 'form of log lines',
    form: 'json or pretty',
    unset: 'pretty on a terminal, else json',
    choices: ['json', 'pretty'],
  },
] as const satisfies readonly SettingRow[];

export type SettingKey = (typeof SETTING_ROWS)[number]['key'];

export const envName = (row: Pick<SettingRow, 'flag' | 'env'>): string =>
  row.env ?? `SONDE_${row.flag.toUpperCase().replaceAll('-', '_')}`;
