/** Checks the total size of what a page loads, as far as servers report sizes. */

import { headerOf } from '../facts/fetch-facts.js';
import { responseOf } from '../response-of.js';
import { fail, notApplicable, notMeasured, pageRule, pass } from '../rule.js';
import { subresources } from '../subresources.js';

const BYTES_MAX = 1_500_000;
const WEIGHED = new Set(['script', 'style', 'image']);
const SHOWN = 10;

export const perfPageWeight = pageRule({
  id: 'perf.page-weight',
  title: '{n} {page loads|pages load} more than 1.5 MB of styles, scripts and images',
  passTitle: 'Pages load less than 1.5 MB of styles, scripts and images',
  category: 'perf',
  severity: 'info',
  weight: 3,
  why: 'On a phone, every megabyte costs time and money.',
  fix: 'Compress images, split scripts, and remove unused code.',
  on: 'html',
  inputs: { document: ['links', 'scripts', 'images', 'embeds'], site: ['responses'] },
  check({ page: { url }, document, site: { responses } }) {
    const loaded = subresources(document).filter(({ kind }) => WEIGHED.has(kind));
    const urls = new Set(loaded.flatMap((each) => each.url ?? []));
    if (urls.size === 0) return notApplicable('the page loads no styles, scripts or images');
    const sizes = [...urls].flatMap((each) => {
      const response = responseOf(responses, each);
      const bytes =
        response?.status === 200
          ? Number(headerOf(response, 'content-length') ?? response.bodyBytes ?? Number.NaN)
          : Number.NaN;
      return Number.isNaN(bytes) ? [] : [{ url: each, bytes }];
    });
    if (sizes.length === 0) return notMeasured('no server sent the size of its files');
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= BYTES_MAX) return pass;
    const heaviest = [...sizes].sort((left, right) => right.bytes - left.bytes).slice(0, SHOWN);
    return fail({
      url,
      observed: `${total} bytes in ${sizes.length} of ${urls.size} files`,
      expected: `at most ${BYTES_MAX} bytes`,
      related: heaviest.map((each) => each.url),
    });
  },
});
