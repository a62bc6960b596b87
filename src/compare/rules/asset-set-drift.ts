/** Scripts, styles and other assets that only one side's page loads. Build hashes in names are ignored. */
import { assetsOf, shownForm } from '../asset-urls.js';
import { oneSidedDifferences } from '../differences.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { sameStatusClass } from '../json-facts.js';
import { NAME, type Rule } from '../rule.js';
import type { SampleView } from '../sample-view.js';

export const assetSetDrift: Rule = {
  code: 'ASSET_SET_DRIFT',
  version: 2,
  title: 'The page loads different assets',
  about:
    'The page loads a script, stylesheet, font or frame on one side only. Origins are mapped and build hashes ignored first. Info.',
  recommendation: 'Compare the builds and the feature flags of both sides.',
  inputs: ['body.content'],
  grouped: (count) => `${count} assets are loaded on one side only`,
  compare(left, right) {
    if (!left.envelope.body?.html || !right.envelope.body?.html || !sameStatusClass(left, right)) return [];
    return oneSidedDifferences(formsOf(left), formsOf(right), (form, side) => ({
      section: 'body',
      severity: 'info',
      direction: `${side}_only`,
      message: `Only ${NAME[side]} loads ${shownForm(form, side === 'left' ? left : right)}`,
    }));
  },
};

/** Without images and media, which are content and not part of the build. */
function formsOf(view: SampleView): readonly string[] {
  return sortedSet(
    assetsOf(view)
      .filter(({ kind }) => kind !== 'image' && kind !== 'media')
      .map(({ form }) => form),
  );
}
