/** Checks that files with source code or credentials are not public. They are requested on verified sites only. */
import type { LeakProbe } from '../facts/site-facts.js';
import { failIfAny, notMeasured, siteRule } from '../rule.js';

const CONTENTS: Readonly<Record<LeakProbe['kind'], string>> = {
  git: 'a Git repository',
  svn: 'a Subversion repository',
  env: 'environment variables',
  credentials: 'credentials',
  'source-map': 'source code',
};

export const secLeaks = siteRule({
  id: 'sec.leaks',
  title: '{n} private {file is|files are} publicly readable',
  passTitle: 'Private files are not readable',
  category: 'security',
  severity: 'error',
  weight: 10,
  why: 'A readable repository or .env file exposes the source code and credentials of the site.',
  fix: 'Block the path on the server now, and rotate every credential in the file.',
  inputs: { site: ['probes'] },
  check({ site: { probes } }) {
    if (!probes.leaks) return notMeasured('not checked; use --own-site or prove ownership with sonde-verify');
    return failIfAny(
      probes.leaks
        .filter(({ exposed, kind }) => exposed && kind !== 'source-map')
        .map(({ path, kind, fetch }) => ({
          url: fetch.url,
          element: path,
          observed: `anyone can read ${path}: ${CONTENTS[kind]}`,
          expected: 'status 404 or 403',
        })),
    );
  },
});
