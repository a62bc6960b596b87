/** The paths of a suite: begin with a slash, hold a query at most, each once, in their order, bounded. */
import { SondeError } from '../../errors.js';

export const SUITE_PATHS_MAX = 2000;
const PATH_CHARS = 4096;

export interface SuitePaths {
  readonly paths: readonly string[];
  /** What the source has and a suite cannot ask, with the reason; for people. */
  readonly skipped: readonly string[];
}

export function badPaths(message: string, cause?: unknown): SondeError {
  return new SondeError('PATHS_INVALID', message, { cause });
}

/** A path, or a URL of which the path counts. Refuses what is neither. */
export function readPath(text: string, place: string): string {
  if (text.length > PATH_CHARS) throw badPaths(`${place}: a path longer than ${PATH_CHARS} characters`);
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
    const { pathname, search } = new URL(text);
    return `${pathname}${search}`;
  }
  if (!text.startsWith('/') || text.startsWith('//') || !URL.canParse(text, 'http://a.invalid')) {
    throw badPaths(`${place}: ${JSON.stringify(text.slice(0, 80))} is no path; a path begins with one slash`);
  }
  const { pathname, search } = new URL(text, 'http://a.invalid');
  return `${pathname}${search}`;
}

export function suitePaths(paths: Iterable<string>, skipped: readonly string[] = []): SuitePaths {
  const kept = [...new Set(paths)];
  if (kept.length === 0) throw badPaths('there is no path to compare');
  if (kept.length > SUITE_PATHS_MAX) {
    throw badPaths(`there are ${kept.length} paths; a suite has at most ${SUITE_PATHS_MAX}`);
  }
  return { paths: kept, skipped };
}

/** One a line; empty lines and what follows a `#` at the start of a line or after a blank are left out. */
export function pathsFromList(text: string, name: string): SuitePaths {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  return suitePaths(
    lines.flatMap((line, index) => {
      const path = line.replace(/(?:^|\s)#.*/, '').trim();
      return path === '' ? [] : [readPath(path, `${name}:${index + 1}`)];
    }),
  );
}
