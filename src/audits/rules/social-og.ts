/**
 * Checks that a shared page has a title, a type, an image and a URL. Reports one finding per page, whatever is missing.
 */

import { tryUrl } from '../../try-url.js';
import { describeResponse, isUnreached } from '../reachability.js';
import { responseOf } from '../response-of.js';
import { fail, pageRule, pass } from '../rule.js';

const WANTED = ['og:title', 'og:type', 'og:image', 'og:url'];

export const socialOg = pageRule({
  id: 'social.og',
  title: '{n} {page has|pages have} incomplete Open Graph tags',
  passTitle: 'Open Graph tags are complete',
  category: 'social',
  severity: 'warn',
  weight: 3,
  why: 'Messengers and social networks build link previews from these tags; without them a link is plain text.',
  fix: 'Write og:title, og:type, og:image (absolute) and og:url into the head.',
  on: 'html',
  inputs: { document: ['metas'], site: ['responses'] },
  check({ page: { url }, document: { metas }, site: { responses } }) {
    const given = new Map<string, { content: string; line: number }>();
    for (const { property, name, content, line } of metas) {
      const key = (property ?? name ?? '').toLowerCase();
      if (content !== null && content.trim() !== '' && !given.has(key))
        given.set(key, { content: content.trim(), line });
    }
    const missing = WANTED.filter((key) => !given.has(key));
    const image = given.get('og:image');
    const fault = image && imageFault(image.content, responses);
    if (missing.length === 0 && fault === undefined) return pass;
    const faults = [
      ...(missing.length > 0 ? [`no ${missing.join(', ')}`] : []),
      ...(fault === undefined ? [] : [`og:image: ${fault}`]),
    ];
    return fail({
      url,
      ...(image && fault !== undefined && { line: image.line }),
      observed: faults.join('; '),
      expected: `${WANTED.join(', ')}, the image as an absolute URL that returns 200`,
    });
  },
});

function imageFault(content: string, responses: Parameters<typeof responseOf>[0]): string | undefined {
  if (!/^https?:\/\//i.test(content)) return `a relative URL (${content})`;
  if (!tryUrl(content)) return `an invalid URL (${content})`;
  const response = responseOf(responses, content);
  if (!response || response.status === 200 || isUnreached(response)) return undefined;
  return describeResponse(response);
}
