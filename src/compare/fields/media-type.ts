/** Parses Content-Type (RFC 9110 §8.3): type, subtype and parameters; case and parameter order do not matter. */
import { parseDirectives } from './directives.js';

export interface MediaType {
  readonly type: string;
  readonly subtype: string;
  readonly charset: string | undefined;
  readonly parameters: ReadonlyMap<string, string | null>;
}

const ESSENCE = /^([!#$%&'*+.^_`|~0-9a-z-]+)\/([!#$%&'*+.^_`|~0-9a-z-]+)$/;

/** undefined if the text is not a media type. */
export function parseMediaType(text: string): MediaType | undefined {
  const semicolon = text.indexOf(';');
  const essence = ESSENCE.exec((semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase());
  if (!essence?.[1] || !essence[2]) return undefined;
  const parameters = parseDirectives(semicolon < 0 ? [] : [text.slice(semicolon + 1)], ';');
  const charset = parameters.get('charset')?.toLowerCase();
  return {
    type: essence[1],
    subtype: essence[2],
    charset: charset === 'utf8' ? 'utf-8' : charset,
    parameters,
  };
}

export function essenceOf({ type, subtype }: MediaType): string {
  return `${type}/${subtype}`;
}
