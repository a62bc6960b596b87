/** Calls the configured server and parses its JSON response. */
import type { SettingKey } from '../config/setting-rows.js';
import type { Settings } from '../config/settings.js';
import { SondeError } from '../errors.js';
import type { CliContext } from './cli-context.js';
import type { ServerCall } from './ports.js';

/** The settings that decide which server is called and with which token. */
export const CLIENT_SETTINGS: readonly SettingKey[] = [
  'client.server',
  'client.token',
  'server.data',
  'net.ca',
];

const BYTES_MAX = 64 * 1024 * 1024;

/** The caller names the type that the API's schema of this response gives. */
export const callJson = async <T>(context: CliContext, settings: Settings, call: ServerCall): Promise<T> => {
  const { body } = await context.runtime.callServer(settings, call);
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > BYTES_MAX) throw new SondeError('response_too_large', 'the response is too large');
  }
  return JSON.parse(text) as T;
};
