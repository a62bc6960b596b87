/** The URL of the documentation of a rule, which `scripts/write-rule-docs.mjs` generates. */
import { VERSION } from '../../version.js';

export function ruleDocsUrl(id: string): string {
  return `https://unpkg.com/sonde@${VERSION}/docs/audit-rules/${id}.md`;
}
