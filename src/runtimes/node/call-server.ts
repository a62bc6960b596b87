/**
 * Calls a Sonde server for a client command, through the egress layer with the server's origin allowed. On the server's
 * own machine it creates a short-lived token from the secret in the data folder, so that commands work without setup.
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiReply, ServerCall } from '../../cli/ports.js';
import { parseJson } from '../../config/parse-json.js';
import type { Settings } from '../../config/settings.js';
import { ERROR_CODES, type ErrorCode, SondeError } from '../../errors.js';
import { type HopBody, headerValues, readBody } from '../../net/index.js';
import { mintToken } from './cli-runtime.js';
import { createOutboundClient } from './net.js';
import { outboundOptions } from './outbound-options.js';

const TOTAL_MS = 10 * 60_000;
const TOKEN_SECONDS = 300;
const ERROR_BYTES_MAX = 64 * 1024;

export async function callServer(settings: Settings, call: ServerCall): Promise<ApiReply> {
  const { origin } = new URL(settings.client.server);
  const outbound = createOutboundClient({ ...(await outboundOptions(settings.net)), allowPrivate: [origin] });
  const token = await tokenFor(settings, call);
  const result = await outbound.fetch({
    url: origin + call.path,
    method: call.method,
    headers: [
      ...Object.entries(call.headers ?? {}),
      ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
    ],
    ...(call.body && { body: call.body }),
    limits: { totalMs: TOTAL_MS, bodyBytes: Number.MAX_SAFE_INTEGER, wireBytes: Number.MAX_SAFE_INTEGER },
    maxRedirects: 0,
  });
  if (!result.ok) {
    await outbound.close();
    throw unreachable(origin, result.error);
  }
  const { status, headers, body } = result.response;
  if (status >= 400 && !call.accepts?.includes(status)) {
    const error = await errorOf(status, body, tokenHint(settings, call, token));
    await outbound.close();
    throw error;
  }
  return {
    status,
    header: (name) => headerValues(headers, name)[0],
    body: readPieces(body, () => outbound.close()),
  };
}

/** Adds a hint if nothing listens at the origin or its name does not resolve. */
function unreachable(origin: string, error: SondeError): SondeError {
  if (error.code !== 'connect_error' && error.code !== 'dns_error') return error;
  return new SondeError(error.code, `no Sonde server responds at ${origin}: ${error.message}`, {
    cause: error,
    details: { ...error.details, hint: 'start one with "sonde serve", or name another with --server URL' },
  });
}

/** What to do if the server does not accept the token. */
function tokenHint(settings: Settings, { scope }: ServerCall, token: string | undefined): string | undefined {
  if (scope === undefined || settings.client.token !== undefined) return undefined;
  const folder = settings.server.data;
  return token === undefined
    ? `there is no server secret in ${folder}: name the server's data folder with --data, or give a token with --token`
    : `the token was made from the secret in ${folder}: if the server has another data folder, name it with --data`;
}

async function* readPieces(body: HopBody, done: () => Promise<void>): AsyncGenerator<Uint8Array> {
  try {
    for (let piece = await body.read(); piece; piece = await body.read()) yield piece;
  } finally {
    body.cancel();
    await done();
  }
}

/** A response to HEAD has no body with the reason. */
const STATUS_WORDS: Readonly<Record<number, string>> = {
  401: 'the token is missing or not valid',
  403: 'the token does not allow this',
  404: 'stream not found',
  410: 'the stream was deleted',
};

/** Uses the server's error code if this version knows it. */
async function errorOf(status: number, body: HopBody, hint: string | undefined): Promise<SondeError> {
  const { bytes } = await readBody(body, ERROR_BYTES_MAX);
  const parsed = parseJson(new TextDecoder().decode(bytes));
  const error = parsed.ok
    ? (parsed.value as { error?: { code?: unknown; message?: unknown } })?.error
    : undefined;
  const code =
    typeof error?.code === 'string' && error.code in ERROR_CODES ? (error.code as ErrorCode) : 'INTERNAL';
  const message =
    typeof error?.message === 'string' ? error.message : (STATUS_WORDS[status] ?? 'no reason was given');
  const details = status === 401 && hint !== undefined ? { hint } : {};
  return new SondeError(code, `the server responded with ${status}: ${message}`, { details });
}

async function tokenFor(settings: Settings, { scope }: ServerCall): Promise<string | undefined> {
  if (scope === undefined) return undefined;
  if (settings.client.token !== undefined) return settings.client.token;
  const { hostname } = new URL(settings.client.server);
  if (!/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return undefined;
  const hasSecret = await access(join(settings.server.data, 'secrets', 'jwt.key')).then(
    () => true,
    () => false,
  );
  if (!hasSecret || settings.auth.jwks !== undefined) return undefined;
  return mintToken(settings, { tenant: 'default', scopes: [scope].flat(), expiresInSeconds: TOKEN_SECONDS });
}
