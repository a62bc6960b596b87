/** Checks that the text of a link describes its target. */
import { failIfAny, notApplicable, pageRule } from '../rule.js';

/** Texts that mean nothing without context, in widely used languages. */
const GENERIC = new Set(
  [
    'click here|click this|here|go|this|start|more|learn more|read more|more info|more information|see more|continue',
    'right here|details|link|find out more|view more|show more|go here|this link|this page|continue reading',
    'hier|hier klicken|klicken sie hier|mehr|mehr erfahren|weiterlesen|mehr lesen|mehr infos|weiter',
    'ici|cliquez ici|en savoir plus|lire la suite|plus|voir plus',
    'aquí|haga clic aquí|clic aquí|leer más|más información|ver más|saber más|más',
    'clicca qui|qui|leggi di più|scopri di più|continua',
    'clique aqui|aqui|saiba mais|leia mais|ver mais',
    'klik hier|lees meer|meer|tutaj|kliknij tutaj|więcej|czytaj więcej|подробнее|здесь|тут|читать далее',
    'こちら|詳細|もっと見る|続きを読む|点击这里|更多|了解更多|查看更多',
  ].flatMap((line) => line.split('|')),
);

export const linkGenericText = pageRule({
  id: 'link.generic-text',
  title: '{n} {page has|pages have} link texts like "click here"',
  passTitle: 'Link texts describe their target',
  category: 'links',
  severity: 'info',
  weight: 2,
  why: 'Readers scan links, screen readers list them and search engines index them; "click here" is useless to all three.',
  fix: 'Describe the target of the link.',
  on: 'html',
  inputs: { document: ['anchors'] },
  check({ page: { url }, document: { anchors } }) {
    const links = anchors.filter((anchor) => anchor.url !== null && anchor.text !== '');
    if (links.length === 0) return notApplicable('the page has no links with text');
    const generic = links.filter(({ text, url: target }) => target !== url && isGeneric(text));
    return failIfAny(
      generic.map(({ text, href, line }) => ({
        url,
        element: `<a href="${href ?? ''}">${text}</a>`,
        line,
        observed: text,
        expected: 'a text that describes the target',
      })),
    );
  },
});

/** Cached, because the same links appear on many pages of a site. */
const judged = new Map<string, boolean>();
const JUDGED_MAX = 5_000;

function isGeneric(text: string): boolean {
  const known = judged.get(text);
  if (known !== undefined) return known;
  const generic = GENERIC.has(normal(text));
  if (judged.size >= JUDGED_MAX) judged.clear();
  judged.set(text, generic);
  return generic;
}

function normal(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s.…›»>→!:]+/g, ' ')
    .trim();
}
