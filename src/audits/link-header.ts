/**
 * Parses the `Link` header (RFC 8288) as far as pages use it: targets with their relations and hreflang. It reads every
 * character once, so the time is linear.
 */
export interface HeaderLink {
  /** As written. */
  readonly href: string;
  /** In lower case. */
  readonly rel: readonly string[];
  readonly hreflang: string | null;
}

const LINKS_MAX = 100;

export function parseLinkHeader(values: readonly string[]): HeaderLink[] {
  const links: HeaderLink[] = [];
  for (const link of values.flatMap((value) => splitOutside(value, ','))) {
    if (links.length === LINKS_MAX) break;
    const [target = '', ...parameters] = splitOutside(link, ';');
    const href = target.trim();
    if (!href.startsWith('<') || !href.endsWith('>')) continue;
    const named = new Map(parameters.map(readParameter).reverse());
    const rel = (named.get('rel') ?? '').toLowerCase().split(/\s/);
    links.push({
      href: href.slice(1, -1).trim(),
      rel: rel.filter((each) => each !== ''),
      hreflang: named.get('hreflang') || null,
    });
  }
  return links;
}

function readParameter(text: string): readonly [name: string, value: string] {
  const equals = text.indexOf('=');
  const name = (equals < 0 ? text : text.slice(0, equals)).trim().toLowerCase();
  const value = equals < 0 ? '' : text.slice(equals + 1).trim();
  return [
    name,
    value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value,
  ];
}

/** Splits at separators outside `<…>` and quotes. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let closing = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (closing !== '') {
      if (character === closing) closing = '';
    } else if (character === '<') closing = '>';
    else if (character === '"') closing = '"';
    else if (character === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
