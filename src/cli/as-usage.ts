/** Reads a value that the caller gave. If it is rejected, that is wrong usage; `where` says where it was given. */
import { SondeError } from '../errors.js';

export function asUsage<T>(read: () => T, where = ''): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof SondeError)) throw thrown;
    throw new SondeError('USAGE', `${where}${thrown.message}`, { cause: thrown });
  }
}
