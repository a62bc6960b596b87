/** A script or style with Subresource Integrity on one side only. */
import { assetsOf, type PageAsset } from '../asset-urls.js';
import { byCodeUnit } from '../fields/code-unit-order.js';
import { type Difference, type Rule, weakerSide } from '../rule.js';

export const sriDrift: Rule = {
  code: 'SRI_DRIFT',
  version: 1,
  title: 'Subresource integrity on one side only',
  about: 'The same script or style has an integrity attribute on one side only. A warning.',
  recommendation: 'Let the build write integrity attributes in every environment.',
  inputs: ['body.content'],
  claims: [],
  parts: ['html'],
  grouped: (count) => `${count} assets have an integrity attribute on one side only`,
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
            message: `${asset.form} has no integrity attribute on the ${weaker} side`,
          },
        ];
      })
      .sort((a, b) => byCodeUnit(a.key, b.key));
  },
};

function isCode({ kind }: PageAsset): boolean {
  return kind === 'script' || kind === 'style';
}
