/** Checks that source maps of the site's scripts are not public. They are requested on verified sites only. */
import { failIfAny, notApplicable, notMeasured, siteRule } from '../rule.js';

export const secSourceMaps = siteRule({
  id: 'sec.source-maps',
  title: '{n} source {map is|maps are} publicly readable',
  passTitle: 'Source maps are not readable',
  category: 'security',
  severity: 'info',
  weight: 2,
  why: 'A source map shows the original source code with its comments and file names.',
  fix: 'Do not deploy source maps unless the source is public anyway.',
  inputs: { site: ['probes'] },
  check({ site: { probes } }) {
    if (!probes.leaks) return notMeasured('not checked; use --own-site or prove ownership with sonde-verify');
    const maps = probes.leaks.filter(({ kind }) => kind === 'source-map');
    if (maps.length === 0) return notApplicable('pages load no scripts from the site');
    return failIfAny(
      maps
        .filter(({ exposed }) => exposed)
        .map(({ path, fetch }) => ({
          url: fetch.url,
          element: path,
          observed: `anyone can read ${path}`,
          expected: 'status 404 or 403',
        })),
      { of: maps.length },
    );
  },
});
