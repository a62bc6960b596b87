/** Checks that structured data has the properties that a rich result requires. */
import { type JsonLdNode, jsonLdNodes } from '../json-ld-nodes.js';
import { type Evidence, failIfAny, notApplicable, pageRule } from '../rule.js';

/** Required properties; a nested list is a choice. */
type Required = readonly (string | readonly string[])[];

/** Required properties of the types with a rich result, from the documentation of the search engine. */
const REQUIRED: Readonly<Record<string, Required>> = {
  Article: ['headline'],
  NewsArticle: ['headline'],
  BlogPosting: ['headline'],
  Product: ['name', ['review', 'aggregateRating', 'offers']],
  BreadcrumbList: ['itemListElement'],
  FAQPage: ['mainEntity'],
  Organization: ['name', 'url'],
  LocalBusiness: ['name', 'address'],
  Restaurant: ['name', 'address'],
  Store: ['name', 'address'],
  Event: ['name', 'startDate', 'location'],
  JobPosting: [
    'title',
    'description',
    'datePosted',
    'hiringOrganization',
    ['jobLocation', 'applicantLocationRequirements'],
  ],
  Recipe: ['name', 'image'],
  VideoObject: ['name', 'thumbnailUrl', 'uploadDate'],
};

export const sdRequiredProps = pageRule({
  id: 'sd.required-props',
  title: '{n} {page has|pages have} structured data without required properties',
  passTitle: 'Structured data has the required properties',
  category: 'schema',
  severity: 'warn',
  weight: 4,
  why: 'With one required property missing there is no rich result.',
  fix: 'Add the property.',
  on: 'html',
  inputs: { document: ['jsonLd'] },
  check({ page: { url }, document: { jsonLd } }) {
    const judged = jsonLdNodes(jsonLd).filter(({ types }) =>
      types.some((type) => Object.hasOwn(REQUIRED, type)),
    );
    if (judged.length === 0) return notApplicable('no structured data of a type with required properties');
    return failIfAny(judged.flatMap((node) => missing(url, node)));
  },
});

function missing(url: string, { types, node, line }: JsonLdNode): Evidence[] {
  return types.flatMap((type) =>
    (Object.hasOwn(REQUIRED, type) ? (REQUIRED[type] ?? []) : []).flatMap((required) => {
      const names = typeof required === 'string' ? [required] : required;
      if (names.some((name) => isGiven(node[name]))) return [];
      return [
        {
          url,
          element: type,
          line,
          observed: `no ${names.join(' or ')}`,
          expected: `${names.join(' or ')} in ${type}`,
        },
      ];
    }),
  );
}

function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !Array.isArray(value) || value.length > 0;
}
