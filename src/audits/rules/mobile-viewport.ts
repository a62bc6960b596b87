/** Checks that pages fit a phone screen and can be zoomed. */
import { type Evidence, failIfAny, pageRule } from '../rule.js';

export const mobileViewport = pageRule({
  id: 'mobile.viewport',
  title: '{n} {page does|pages do} not fit a phone screen',
  passTitle: 'Pages fit a phone screen',
  category: 'mobile',
  severity: 'warn',
  weight: 6,
  why: 'Without a viewport, phones shrink a desktop page; without zoom, many people cannot read it.',
  fix: 'Write <meta name="viewport" content="width=device-width, initial-scale=1">.',
  on: 'html',
  inputs: { document: ['metas'] },
  check({ page: { url }, document: { metas } }) {
    const found = metas.filter(({ name }) => name === 'viewport').at(-1);
    if (!found) return failIfAny([{ url, observed: 'no viewport', expected: 'width=device-width' }]);
    const settings = parse(found.content ?? '');
    const element = `<meta name="viewport" content="${found.content ?? ''}">`;
    const evidence: Evidence[] = [];
    const add = (observed: string, expected: string) =>
      evidence.push({ url, element, line: found.line, observed, expected });
    if (settings.get('width') !== 'device-width')
      add(`width=${settings.get('width') ?? 'not set'}`, 'width=device-width');
    const scalable = settings.get('user-scalable');
    if (scalable === 'no' || scalable === '0') add(`user-scalable=${scalable}`, 'a page that can be zoomed');
    const most = Number(settings.get('maximum-scale') ?? Number.NaN);
    if (most < 2) add(`maximum-scale=${most}`, 'at least 2, or none');
    return failIfAny(evidence);
  },
});

/** Splits at the separators that browsers accept: commas, semicolons and blanks. */
function parse(content: string): ReadonlyMap<string, string> {
  const pairs = content.toLowerCase().matchAll(/(?<![a-z-])([a-z-]+)\s*=\s*([^\s,;]+)/g);
  return new Map([...pairs].map(([, key = '', value = '']) => [key, value]));
}
