/** The door to all operations, on any host. */
import { type Door, openDoor } from '../kernel/door.js';
import type { AppDeps } from './app-env.js';
import { createCredentialFinder } from './auth/shown-credential.js';
import { operationsOf } from './operations.js';

export function createDoor(deps: AppDeps): Door {
  const findCredential = createCredentialFinder(deps.proxy?.routes);
  return openDoor(operationsOf(deps), { ...deps, findCredential });
}
