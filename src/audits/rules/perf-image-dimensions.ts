/** Checks that images reserve their space before they load. */
import { failIfAny, notApplicable, pageRule } from '../rule.js';

export const perfImageDimensions = pageRule({
  id: 'perf.image-dimensions',
  title: '{n} {page has|pages have} images without width and height',
  passTitle: 'Images have a width and a height',
  category: 'perf',
  severity: 'info',
  weight: 2,
  why: 'Without them the text jumps when the image loads.',
  fix: 'Write width and height, or set an aspect ratio in CSS.',
  on: 'html',
  inputs: { document: ['images'] },
  check({ page: { url }, document: { images } }) {
    if (images.length === 0) return notApplicable('the page has no images');
    const unsized = images.filter(
      ({ width, height, sizedByStyle }) => !sizedByStyle && (width === null || height === null),
    );
    return failIfAny(
      unsized.map(({ src, url: image, line, width, height }) => ({
        url,
        element: `<img src="${image ?? src ?? ''}">`,
        line,
        observed: [width === null && 'no width', height === null && 'no height'].filter(Boolean).join(', '),
        expected: 'width and height',
      })),
    );
  },
});
