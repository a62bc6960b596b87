/** A script or style with Subresource Integrity on one side only. */
import { assetsOf, type PageAsset } from '../asset-urls.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import { type Difference, NAME, type Rule, weakerSide, worstAndMore } from '../rule.js';

export const sriDrift: Rule = {
  code: 'SRI_DRIFT',
  version: 2,
  title: 'An integrity attribute is missing',
  about:
    'A script or stylesheet has an integrity attribute on the reference but not on the candidate. Warning.',
  recommendation: 'Have the build add integrity attributes in every environment.',
  inputs: ['body.content'],
  claims: [],
  grouped: worstAndMore,
  compare(left, right) {
    const others = new Map(
      assetsOf(right)
        .filter(isCode)
        .map((asset) => [asset.form, asset]),
    );
    return assetsOf(left)
      .filter(isCode)
      .flatMap((asset): Difference[] => {
        const other = others.get(asset.form);
        if (!other || (asset.integrity === undefined) === (other.integrity === undefined)) return [];
        const weaker = asset.integrity === undefined ? 'left' : 'right';
        return [
          {
            section: 'body',
            key: asset.form,
            left: asset.integrity ?? null,
            right: other.integrity ?? null,
            severity: 'warn',
            direction: weakerSide(weaker),
            message: `${asset.form} has no integrity attribute on ${NAME[weaker]}`,
          },
        ];
      })
      .sort((a, b) => byCodeUnit(a.key, b.key));
  },
};

function isCode({ kind }: PageAsset): boolean {
  return kind === 'script' || kind === 'style';
}
