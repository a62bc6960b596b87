/** Checks that links within the site may be followed. */
import { failIfAny, notApplicable, pageRule } from '../rule.js';

export const linkNofollowInternal = pageRule({
  id: 'link.nofollow-internal',
  title: '{n} {page marks|pages mark} internal links as nofollow',
  passTitle: 'Internal links may be followed',
  category: 'links',
  severity: 'info',
  weight: 2,
  why: 'nofollow on your own links only weakens the pages they lead to.',
  fix: 'Remove rel=nofollow from links within the site.',
  on: 'html',
  inputs: { document: ['anchors'] },
  check({ page: { url }, document: { anchors } }) {
    const internal = anchors.filter((anchor) => anchor.internal);
    if (internal.length === 0) return notApplicable('the page has no internal links');
    return failIfAny(
      internal
        .filter(({ rel }) => rel.includes('nofollow'))
        .map(({ href, text, line }) => ({
          url,
          element: `<a rel="nofollow" href="${href ?? ''}">${text}</a>`,
          line,
          observed: 'rel=nofollow',
          expected: 'a link that may be followed',
        })),
    );
  },
});
