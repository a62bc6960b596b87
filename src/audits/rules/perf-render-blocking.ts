/** Checks that no script and only a few styles in the head block rendering. */
import { type Evidence, failIfAny, pageRule } from '../rule.js';

/** Each stylesheet beyond these costs another round trip on a new connection. */
const STYLES_MAX = 3;
const SCRIPT_TYPES = new Set(['', 'text/javascript', 'application/javascript', 'text/ecmascript']);

export const perfRenderBlocking = pageRule({
  id: 'perf.render-blocking',
  title: '{n} {page has|pages have} scripts or styles that block rendering',
  passTitle: 'Little in the head blocks rendering',
  category: 'perf',
  severity: 'info',
  weight: 2,
  why: 'Browsers render nothing until the scripts and styles in the head have loaded and run.',
  fix: 'Load scripts with defer, async or type=module; combine stylesheets.',
  on: 'html',
  inputs: { document: ['scripts', 'links'] },
  check({ page: { url }, document: { scripts, links } }) {
    const blocking = scripts.filter(
      ({ src, inHead, async, defer, type }) =>
        src !== null && inHead && !async && !defer && SCRIPT_TYPES.has(type),
    );
    const styles = links.filter(
      ({ rel, inHead, media, disabled }) =>
        rel.includes('stylesheet') && !rel.includes('alternate') && inHead && !disabled && media !== 'print',
    );
    const evidence: Evidence[] = blocking.map(({ src, url: script, line }) => ({
      url,
      element: `<script src="${script ?? src}">`,
      line,
      observed: 'a script that blocks rendering',
      expected: 'defer, async or type=module',
    }));
    if (styles.length > STYLES_MAX) {
      evidence.push({
        url,
        ...(styles[STYLES_MAX] && { line: styles[STYLES_MAX].line }),
        observed: `${styles.length} stylesheets in the head`,
        expected: `at most ${STYLES_MAX}`,
      });
    }
    return failIfAny(evidence);
  },
});
