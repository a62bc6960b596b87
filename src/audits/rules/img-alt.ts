/** Checks that images have alternative text; `alt=""` marks an image as decorative. */
import { failIfAny, notApplicable, pageRule } from '../rule.js';

export const imgAlt = pageRule({
  id: 'img.alt',
  title: '{n} {page has|pages have} images without alternative text',
  passTitle: 'Images have alternative text',
  category: 'content',
  severity: 'warn',
  weight: 4,
  why: 'People and search engines that cannot see an image rely on its alt text.',
  fix: 'Describe the image in alt, or write alt="" if it is decorative.',
  on: 'html',
  inputs: { document: ['images'] },
  check({ page: { url }, document: { images } }) {
    if (images.length === 0) return notApplicable('the page has no images');
    const missing = images.filter(({ alt, labelledOtherwise }) => alt === null && !labelledOtherwise);
    return failIfAny(
      missing.map(({ src, url: image, line }) => ({
        url,
        element: `<img src="${image ?? src ?? ''}">`,
        line,
        observed: 'no alt attribute',
        expected: 'an alt attribute; empty if the image is decorative',
      })),
    );
  },
});
