/** The `Link` header (RFC 8288), as far as pages use it: targets with their relations and hreflang. */
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
  for (const value of values) {
    for (const [, href = '', parameters = ''] of value.matchAll(/<([^>]*)>((?:[^,"]|"[^"]*")*)/g)) {
      if (links.length === LINKS_MAX) return links;
      links.push({
        href: href.trim(),
        rel: parameter(parameters, 'rel')
          .toLowerCase()
          .split(/\s+/)
          .filter((rel) => rel !== ''),
        hreflang: parameter(parameters, 'hreflang') || null,
      });
    }
  }
  return links;
}

function parameter(parameters: string, name: string): string {
  for (const [, key = '', quoted, plain] of parameters.matchAll(
    /;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s;,]+))/g,
  )) {
    if (key.toLowerCase() === name) return quoted ?? plain ?? '';
  }
  return '';
}
