/**
 * Lists the files that a stylesheet references: fonts, images and other stylesheets. One pass over the text that skips
 * comments and strings. Text that is not CSS gives few or no references, never an error.
 */
export interface CssReference {
  /** As written. */
  readonly href: string;
  readonly kind: 'font' | 'image' | 'style';
  /** Counted from 1. */
  readonly line: number;
}

export const CSS_LIMITS = { chars: 1_000_000, references: 500, hrefChars: 2_048 } as const;

const FONT_FACE = '@font-face';
const IMPORT = '@import';

export function cssReferences(css: string): CssReference[] {
  return new CssScanner(css.slice(0, CSS_LIMITS.chars)).references();
}

class CssScanner {
  readonly #css: string;
  readonly #found: CssReference[] = [];
  #at = 0;
  #line = 1;
  #inFontFace = false;
  #inImport = false;

  constructor(css: string) {
    this.#css = css;
  }

  references(): CssReference[] {
    while (this.#at < this.#css.length && this.#found.length < CSS_LIMITS.references) this.#step();
    return this.#found;
  }

  #step(): void {
    const character = this.#css.charAt(this.#at);
    if (character === '"' || character === "'") {
      const text = this.#quoted(character);
      if (this.#inImport) this.#add(text, 'style');
    } else if (character === '/' && this.#css.charAt(this.#at + 1) === '*') this.#skipComment();
    else if (character === '@') this.#atRule();
    else if ((character === 'u' || character === 'U') && this.#startsWith('url(')) this.#url();
    else {
      if (character === '}') this.#inFontFace = false;
      if (character === ';' || character === '{') this.#inImport = false;
      this.#advance(1);
    }
  }

  #atRule(): void {
    if (this.#startsWith(FONT_FACE)) this.#inFontFace = true;
    if (this.#startsWith(IMPORT)) this.#inImport = true;
    this.#advance(1);
  }

  #url(): void {
    this.#advance('url('.length);
    while (/\s/.test(this.#css.charAt(this.#at))) this.#advance(1);
    const quote = this.#css.charAt(this.#at);
    const href = quote === '"' || quote === "'" ? this.#quoted(quote) : this.#unquoted();
    this.#add(href, this.#inImport ? 'style' : this.#inFontFace ? 'font' : 'image');
  }

  #unquoted(): string {
    const end = this.#css.indexOf(')', this.#at);
    const text = this.#css.slice(this.#at, end < 0 ? this.#css.length : end);
    this.#advance(text.length);
    return text.trim();
  }

  /** A string ends at its quote or, if that is missing, at the end of the line. */
  #quoted(quote: string): string {
    this.#advance(1);
    const start = this.#at;
    while (this.#at < this.#css.length) {
      const character = this.#css.charAt(this.#at);
      if (character === quote || character === '\n') break;
      this.#advance(character === '\\' ? 2 : 1);
    }
    const text = this.#css.slice(start, this.#at);
    this.#advance(1);
    return text;
  }

  #skipComment(): void {
    this.#advance('/*'.length);
    const end = this.#css.indexOf('*/', this.#at);
    this.#advance(end < 0 ? this.#css.length - this.#at : end + '*/'.length - this.#at);
  }

  #startsWith(word: string): boolean {
    return this.#css.slice(this.#at, this.#at + word.length).toLowerCase() === word;
  }

  #advance(count: number): void {
    for (let at = this.#at; at < this.#at + count; at += 1)
      if (this.#css.charCodeAt(at) === 0x0a) this.#line += 1;
    this.#at += count;
  }

  #add(href: string, kind: CssReference['kind']): void {
    if (href === '' || href.length > CSS_LIMITS.hrefChars || /^(?:data|blob|about):|^#/i.test(href)) return;
    this.#found.push({ href, kind, line: this.#line });
    if (kind === 'style') this.#inImport = false;
  }
}
