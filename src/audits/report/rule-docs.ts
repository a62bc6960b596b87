/** The URL of the documentation of a rule, which `npm run generate` writes. */
import { VERSION } from '../../version.js';

export function ruleDocsUrl(id: string): string {
  return `https://unpkg.com/sonde@${VERSION}/docs/audit-rules/${id}.md`;
}
