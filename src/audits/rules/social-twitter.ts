/** Checks that a page declares its Twitter card. */
import { fail, pageRule, pass } from '../rule.js';

export const socialTwitter = pageRule({
  id: 'social.twitter',
  title: '{n} {page has|pages have} no twitter:card',
  passTitle: 'Pages have a twitter:card',
  category: 'social',
  severity: 'info',
  weight: 1,
  why: 'Without twitter:card, a shared link appears small and without its image.',
  fix: 'Write <meta name="twitter:card" content="summary_large_image">.',
  on: 'html',
  inputs: { document: ['metas'] },
  check({ page: { url }, document: { metas } }) {
    const isCard = (key: string | null) => key?.toLowerCase() === 'twitter:card';
    const card = metas.find(({ name, property }) => isCard(name) || isCard(property));
    if (card?.content?.trim()) return pass;
    return fail({
      url,
      ...(card && { line: card.line }),
      observed: card ? 'an empty twitter:card' : 'no twitter:card',
      expected: 'twitter:card',
    });
  },
});
