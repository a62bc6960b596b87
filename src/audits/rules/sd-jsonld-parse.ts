/** Checks that structured data can be parsed. */
import { isObject } from '../json-ld-nodes.js';
import { type Evidence, failIfAny, notApplicable, pageRule } from '../rule.js';

const ELEMENT = '<script type="application/ld+json">';

export const sdJsonldParse = pageRule({
  id: 'sd.jsonld-parse',
  title: '{n} {page has|pages have} malformed structured data',
  passTitle: 'Structured data is well-formed',
  category: 'schema',
  severity: 'error',
  weight: 5,
  why: 'Search engines ignore a block whose JSON is invalid.',
  fix: 'Correct the JSON, and include @context and @type.',
  on: 'html',
  inputs: { document: ['jsonLd'] },
  check({ page: { url }, document: { jsonLd } }) {
    const judged = jsonLd.filter(({ cut }) => !cut);
    if (judged.length === 0) return notApplicable('the page has no structured data');
    return failIfAny(
      judged.flatMap(({ line, value, error }): Evidence[] => {
        if (error) {
          const observed = `${error.message} (column ${error.column})`;
          return [{ url, element: ELEMENT, line: error.line, observed, expected: 'JSON' }];
        }
        const fault = faultOf(value);
        return fault === undefined
          ? []
          : [{ url, element: ELEMENT, line, observed: fault, expected: '@context and @type' }];
      }),
    );
  },
});

function faultOf(value: unknown): string | undefined {
  const nodes = Array.isArray(value) ? value : [value];
  if (nodes.length === 0 || !nodes.every(isObject)) return 'not an object';
  if (nodes.some((node) => node['@context'] === undefined)) return 'no @context';
  return nodes.some((node) => node['@type'] === undefined && node['@graph'] === undefined)
    ? 'no @type'
    : undefined;
}
