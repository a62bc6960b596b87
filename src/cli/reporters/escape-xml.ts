/** Escapes text for XML and HTML: markup characters are escaped, characters that XML 1.0 forbids are replaced. */
import { escapeHtml } from '../../escape-html.js';

const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the characters that XML 1.0 §2.2 excludes
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function escapeXml(text: string): string {
  return escapeHtml(text.replace(FORBIDDEN, '\ufffd'));
}
