/** Escapes text for XML and HTML. What XML 1.0 forbids is unprintable, so it is shown as an escape. */
import { escapeHtml } from '../../escape-html.js';
import { printable } from '../../printable.js';

export function escapeXml(text: string): string {
  return escapeHtml(printable(text));
}
