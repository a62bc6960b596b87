/** Categories of rules as people say them. One that is newer than this page shows its own name. */
const NAMES: Readonly<Record<string, string>> = {
  crawl: 'Crawling',
  index: 'Indexing',
  content: 'Content',
  links: 'Links and assets',
  a11y: 'Accessibility',
  schema: 'Structured data',
  social: 'Social previews',
  i18n: 'Languages',
  mobile: 'Mobile',
  perf: 'Performance',
  security: 'Security',
  ai: 'AI access',
};

export function categoryName(category: string): string {
  return NAMES[category] ?? category;
}
