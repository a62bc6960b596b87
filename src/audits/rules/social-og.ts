/** A shared page shows a title, a kind, an image and its address. */

import { tryUrl } from '../../try-url.js';
import { answerOf } from '../answer-of.js';
import { type Evidence, failIfAny, pageRule } from '../rule.js';

const WANTED = ['og:title', 'og:type', 'og:image', 'og:url'];

export const socialOg = pageRule({
  id: 'social.og',
  title: 'Pages can be shared with title and image',
  category: 'social',
  severity: 'warn',
  weight: 3,
  levels: 1,
  why: 'Messengers and networks draw their preview from these; without them a link is bare text.',
  fix: 'Write og:title, og:type, og:image (absolute) and og:url into the head.',
  on: 'html',
  inputs: { document: ['metas'], site: ['answers'] },
  check({ page: { url }, document: { metas }, site: { answers } }) {
    const given = new Map<string, { content: string; line: number }>();
    for (const { property, name, content, line } of metas) {
      const key = (property ?? name ?? '').toLowerCase();
      if (content !== null && content.trim() !== '' && !given.has(key))
        given.set(key, { content: content.trim(), line });
    }
    const evidence: Evidence[] = WANTED.filter((key) => !given.has(key)).map((key) => ({
      url,
      observed: `no ${key}`,
      expected: `<meta property="${key}">`,
    }));
    const image = given.get('og:image');
    if (image) {
      const fault = imageFault(image.content, answers);
      const element = `<meta property="og:image" content="${image.content}">`;
      if (fault !== undefined)
        evidence.push({
          url,
          element,
          line: image.line,
          observed: fault,
          expected: 'an absolute URL that answers 200',
        });
    }
    return failIfAny(evidence);
  },
});

function imageFault(content: string, answers: Parameters<typeof answerOf>[0]): string | undefined {
  if (!/^https?:\/\//i.test(content) || !tryUrl(content)) return `a relative address: ${content}`;
  const answer = answerOf(answers, content);
  if (!answer || answer.status === 200) return undefined;
  return answer.status === null ? 'no answer' : `status ${answer.status}`;
}
