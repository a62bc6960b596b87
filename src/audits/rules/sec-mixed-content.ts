/** Checks that a page over https loads nothing over http. */
import { type Evidence, failIfAny, notApplicable, pageRule } from '../rule.js';
import { subresources } from '../subresources.js';

export const secMixedContent = pageRule({
  id: 'sec.mixed-content',
  title: '{n} secure {page loads|pages load} files over plain HTTP',
  passTitle: 'Secure pages load nothing over plain HTTP',
  category: 'security',
  severity: 'error',
  weight: 6,
  why: 'Browsers block such scripts and styles, and anything they do load can be read and changed in transit.',
  fix: 'Load the files over https.',
  on: 'html',
  inputs: { document: ['links', 'scripts', 'images', 'embeds', 'forms'] },
  check({ page: { url }, document }) {
    if (!url.startsWith('https:')) return notApplicable('the page itself is served over http');
    const insecure = (target: string | null) => target?.startsWith('http:') ?? false;
    const evidence: Evidence[] = [...subresources(document), ...document.forms]
      .filter((each) => insecure(each.url))
      .map(({ tag, src, line }) => ({
        url,
        element: `<${tag}> ${src}`,
        line,
        observed: src,
        expected: 'an https URL',
      }));
    return failIfAny(evidence);
  },
});
