/** Creates a login link from the secrets of a data folder. A server with that folder accepts its code. */
import { DEFAULT_TENANT } from '../../../api/auth/principal.js';
import { signLoginCode } from '../../../api/auth/signed-login-codes.js';
import type { Settings } from '../../../config/settings.js';
import { SondeError } from '../../../errors.js';
import { SCOPES } from '../../../scopes.js';
import { secretFiles } from './secrets.js';
import { loginUrl, urlOf } from './server-url.js';

export async function loginLink({ server }: Settings): Promise<string> {
  if (server.auth === 'none')
    throw new SondeError('USAGE', 'server.auth is none: the server needs no login; open its address');
  const { sessionKey } = await secretFiles(server.data).auth();
  const grant = { tenant: DEFAULT_TENANT, scopes: new Set(SCOPES) };
  const code = await signLoginCode(sessionKey, grant, Date.now());
  return loginUrl(server.publicUrl ?? urlOf(server.host, server.port), code);
}
