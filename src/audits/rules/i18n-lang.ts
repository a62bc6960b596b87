/** Checks that a page declares its language. */
import { isLanguageTag } from '../language-tag.js';
import { fail, pageRule, pass } from '../rule.js';

export const i18nLang = pageRule({
  id: 'i18n.lang',
  title: '{n} {page does|pages do} not declare a valid language',
  passTitle: 'Pages declare their language',
  category: 'i18n',
  severity: 'warn',
  weight: 4,
  why: 'Screen readers choose a voice, and browsers offer a translation, based on the declared language.',
  fix: 'Write <html lang="…"> with a language tag such as en or de-CH.',
  on: 'html',
  inputs: { document: ['lang', 'langLine'] },
  check({ page: { url }, document: { lang, langLine } }) {
    const tag = lang?.trim() ?? '';
    if (isLanguageTag(tag)) return pass;
    return fail({
      url,
      element: lang === null ? '<html>' : `<html lang="${lang}">`,
      ...(langLine !== null && { line: langLine }),
      observed: lang === null ? 'no lang' : `lang="${lang}"`,
      expected: 'a language tag (BCP 47)',
    });
  },
});
