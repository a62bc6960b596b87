/** Checks that the first image, which is nearly always in view, is not loaded lazily. */
import { fail, notApplicable, pageRule, pass } from '../rule.js';

export const perfImageLazyHero = pageRule({
  id: 'perf.image-lazy-hero',
  title: '{n} {page loads its|pages load their} first image lazily',
  passTitle: 'The first image is not loaded lazily',
  category: 'perf',
  severity: 'info',
  weight: 2,
  why: 'A lazy first image loads only after layout, so readers see it late.',
  fix: 'Remove loading=lazy from it, and add fetchpriority=high.',
  on: 'html',
  inputs: { document: ['images'] },
  check({ page: { url }, document: { images } }) {
    const [first] = images;
    if (!first) return notApplicable('the page has no images');
    if (first.loading !== 'lazy') return pass;
    return fail({
      url,
      element: `<img src="${first.url ?? first.src ?? ''}" loading="lazy">`,
      line: first.line,
      observed: 'loading=lazy on the first image',
      expected: 'an image that loads immediately',
    });
  },
});
