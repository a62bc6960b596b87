/**
 * The server's own secrets in files, one per secret, in `<data>/secrets`. They are created on first use, with mode 0600 in a folder
 * with mode 0700, and never replaced. A file is written under a temporary name, synced and then linked, so it is always
 * complete. The link fails if another process was faster, so processes that start at once agree on one secret. A file
 * that others can read, or that does not contain a secret, is refused and left unchanged.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { SondeError } from '../../../errors.js';
import { refusePartialBackup } from '../backup/partial-backup.js';
import { fileFault, makeSyncedFolder, syncFolder, writeSynced } from '../durable-files.js';

export interface AuthSecrets {
  /** Signs and verifies service JWTs, as the UTF-8 bytes of this text. */
  readonly jwtSecret: string;
  /** Signs browser sessions; never the same as `jwtSecret`. */
  readonly sessionKey: string;
}

export interface WebhookKeys {
  /** The seed of the Ed25519 key that signs webhooks. */
  readonly signingSeed: string;
  /** Creates and verifies the tokens of wakes. The key that seals receivers' URLs is derived from it. */
  readonly callbackKey: string;
}

/** What all processes that answer for the same data must have in common. */
export interface ServerSecrets {
  auth(): Promise<AuthSecrets>;
  webhooks(): Promise<WebhookKeys>;
  /** The keys that sign the proxy's URLs. The first one signs, and all of them verify. */
  signing(): Promise<readonly string[]>;
  /** The keys that seal data in the record stores. The first one seals, and all of them open. */
  sealing(): Promise<readonly string[]>;
}

const SECRET_BYTES = 32;
const SECRET_FORM = /^[A-Za-z0-9_-]{43}\n?$/;
const FILE_BYTES_MAX = 1024;

/** `signing` and `sealing` have a second key if there is a file `NAME.previous.key`. */
export function secretFiles(dataDir: string): ServerSecrets {
  return {
    auth: () => readAuthSecrets(dataDir),
    webhooks: () => readWebhookKeys(dataDir),
    signing: () => readRotated(dataDir, 'signing'),
    sealing: () => readRotated(dataDir, 'sealing'),
  };
}

async function readAuthSecrets(dataDir: string): Promise<AuthSecrets> {
  const folder = await openFolder(dataDir);
  const jwtSecret = await readOrCreate(join(folder, 'jwt.key'));
  const sessionKey = await readOrCreate(join(folder, 'session.key'));
  if (jwtSecret === sessionKey) throw unusable(folder, 'contains the same secret twice');
  return { jwtSecret, sessionKey };
}

async function readWebhookKeys(dataDir: string): Promise<WebhookKeys> {
  const folder = await openFolder(dataDir);
  return {
    signingSeed: await readOrCreate(join(folder, 'webhook.key')),
    callbackKey: await readOrCreate(join(folder, 'callback.key')),
  };
}

async function readRotated(dataDir: string, name: string): Promise<readonly string[]> {
  const folder = await openFolder(dataDir);
  const current = await readOrCreate(join(folder, `${name}.key`));
  const previous = await read(join(folder, `${name}.previous.key`));
  return previous === undefined ? [current] : [current, previous];
}

async function openFolder(dataDir: string): Promise<string> {
  refusePartialBackup(dataDir);
  const folder = join(dataDir, 'secrets');
  await makeSyncedFolder(folder).catch((cause: unknown) => {
    throw unusable(folder, `cannot be created: ${fileFault(cause)}`, cause);
  });
  const { mode } = await stat(folder);
  if (isOpen(mode)) throw unusable(folder, `has mode ${octal(mode)}; it must be 0700 (chmod 700)`);
  return folder;
}

async function readOrCreate(path: string): Promise<string> {
  return (await read(path)) ?? (await create(path));
}

/** Returns undefined if there is no file. */
async function read(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch((cause: unknown) => {
    if (hasCode(cause, 'ENOENT')) return undefined;
    throw unusable(path, `cannot be opened: ${fileFault(cause)}`, cause);
  });
  if (file === undefined) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) throw unusable(path, 'is not a file');
    const { mode, size } = found;
    if (isOpen(mode)) throw unusable(path, `has mode ${octal(mode)}; it must be 0600 (chmod 600)`);
    const text = size > FILE_BYTES_MAX ? '' : await file.readFile('utf8');
    if (!SECRET_FORM.test(text))
      throw unusable(path, 'does not contain a secret; restore it, or delete it to create a new one');
    return text.trimEnd();
  } finally {
    await file.close();
  }
}

async function create(path: string): Promise<string> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await writeSynced(temporary, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
    await link(temporary, path).catch((cause: unknown) => {
      if (!hasCode(cause, 'EEXIST')) throw cause;
    });
    await syncFolder(join(path, '..'));
  } catch (cause) {
    throw unusable(path, `cannot be written: ${fileFault(cause)}`, cause);
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
  const secret = await read(path);
  if (secret === undefined) throw unusable(path, 'was removed while it was being created');
  return secret;
}

/** Windows does not have these modes; the access control list of the folder applies there. */
function isOpen(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

function octal(mode: number): string {
  return `0${(mode & 0o777).toString(8)}`;
}

function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}

function unusable(path: string, fault: string, cause?: unknown): SondeError {
  return new SondeError('SECRETS_UNUSABLE', `${path} ${fault}`, { cause, details: { path } });
}
