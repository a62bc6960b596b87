/** A script or style with Subresource Integrity on one side only. */
import { assetsOf, type PageAsset, shownForm } from '../asset-urls.js';
import { byKey, differencesOf } from '../differences.js';
import { NAME, type Rule, weakerSide, worstAndMore } from '../rule.js';

export const sriDrift: Rule = {
  code: 'SRI_DRIFT',
  version: 2,
  title: 'An integrity attribute is missing',
  about:
    'A script or stylesheet has an integrity attribute on the reference but not on the candidate. Warning.',
  recommendation: 'Have the build add integrity attributes in every environment.',
  inputs: ['body.content'],
  grouped: worstAndMore,
  compare(left, right) {
    const others = new Map(
      assetsOf(right)
        .filter(isCode)
        .map((asset) => [asset.form, asset]),
    );
    const found = differencesOf(assetsOf(left).filter(isCode), ({ form, integrity }) => {
      const other = others.get(form);
      if (!other || (integrity === undefined) === (other.integrity === undefined)) return undefined;
      const weaker = integrity === undefined ? 'left' : 'right';
      return {
        section: 'body',
        key: form,
        left: integrity ?? null,
        right: other.integrity ?? null,
        severity: 'warn',
        direction: weakerSide(weaker),
        message: `${shownForm(form, weaker === 'left' ? left : right)} has no integrity attribute on ${NAME[weaker]}`,
      };
    });
    return byKey(found);
  },
};

function isCode({ kind }: PageAsset): boolean {
  return kind === 'script' || kind === 'style';
}
