/** Where the documentation of a rule can be read: the page that `scripts/write-rule-docs.mjs` writes for it. */
import { VERSION } from '../../version.js';

export function ruleDocsUrl(id: string): string {
  return `https://unpkg.com/sonde@${VERSION}/docs/audit-rules/${id}.md`;
}
