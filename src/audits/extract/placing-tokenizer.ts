/**
 * The tokenizer of `html-tree.ts`: it knows where the current tag began, and takes a run of plain characters at once.
 * parse5's own tokenizer reads one character at a time and creates a token for every word and every blank, which took
 * half of the parsing time (docs/decisions/audits.md, 0018). Characters with a special meaning are left to it, as is the
 * first character of every run.
 */
import { InsertionMode, Token, type TokenHandler, Tokenizer, type TokenizerOptions } from 'parse5';

/** Insertion modes in which the parser treats blanks like other characters, so that text need not be split at them. */
const BLANKS_ARE_TEXT: ReadonlySet<InsertionMode> = new Set([
  InsertionMode.IN_BODY,
  InsertionMode.IN_CAPTION,
  InsertionMode.IN_CELL,
  InsertionMode.IN_TEMPLATE,
  InsertionMode.TEXT,
]);
const CR = 0x0d;
const SURROGATE = /[\ud800-\udfff]/g;
/** Larger than any document: the text is kept anyway, so the preprocessor need not drop what was read. */
const NEVER_DROP = 0x3fffffff;

export class PlacingTokenizer extends Tokenizer {
  declare handler: TokenHandler & { readonly insertionMode: InsertionMode };
  tagStart = 0;
  private readonly plainRuns = new PlainRuns();

  constructor(options: TokenizerOptions, handler: PlacingTokenizer['handler']) {
    super(options, handler);
    this.preprocessor.bufferWaterline = NEVER_DROP;
  }

  protected override _createStartTagToken(): void {
    this.tagStart = this.preprocessor.offset - 1;
    super._createStartTagToken();
  }

  protected override _stateData(cp: number): void {
    super._stateData(cp);
    this.takeText();
  }

  protected override _stateRcdata(cp: number): void {
    super._stateRcdata(cp);
    this.takeText();
  }

  protected override _stateRawtext(cp: number): void {
    super._stateRawtext(cp);
    this.takeText();
  }

  protected override _stateScriptData(cp: number): void {
    super._stateScriptData(cp);
    this.takeText();
  }

  protected override _stateAttributeValueDoubleQuoted(cp: number): void {
    super._stateAttributeValueDoubleQuoted(cp);
    this.take('quotes');
  }

  /** Leading blanks get their own token, because the first of them may not count. */
  private takeText(): void {
    if (this.currentCharacterToken?.type !== Token.TokenType.CHARACTER) return;
    if (BLANKS_ARE_TEXT.has(this.handler.insertionMode)) this.take('tags');
  }

  /** After a plain character, takes all plain characters that follow. */
  private take(until: 'quotes' | 'tags'): void {
    const { preprocessor } = this;
    const from = preprocessor.pos + 1;
    // A CR was read as LF, and an LF after it does not count.
    if (this.runEnd !== from || preprocessor.html.charCodeAt(from - 1) === CR) return;
    const end = this.plainRuns.endOf(preprocessor.html, from, until);
    this.runEnd = end;
    preprocessor.pos = end - 1;
  }
}

/** Finds the end of runs of plain characters. Called with increasing positions in one text. */
class PlainRuns {
  readonly #tags = new Next((html, from) => html.indexOf('<', from));
  readonly #quotes = new Next((html, from) => html.indexOf('"', from));
  readonly #others = [
    new Next((html, from) => html.indexOf('&', from)),
    new Next((html, from) => html.indexOf('\r', from)),
    new Next((html, from) => html.indexOf('\0', from)),
    new Next(nextSurrogate),
  ];

  endOf(html: string, from: number, until: 'quotes' | 'tags'): number {
    let end = (until === 'tags' ? this.#tags : this.#quotes).at(html, from);
    for (const other of this.#others) {
      const at = other.at(html, from);
      if (at < end) end = at;
    }
    return end;
  }
}

/** The next position of one kind, cached: text before it is never searched again, so the time is linear. */
class Next {
  readonly #find: (html: string, from: number) => number;
  #at = -1;

  constructor(find: (html: string, from: number) => number) {
    this.#find = find;
  }

  at(html: string, from: number): number {
    if (this.#at < from) {
      const found = this.#find(html, from);
      this.#at = found < 0 ? html.length : found;
    }
    return this.#at;
  }
}

function nextSurrogate(html: string, from: number): number {
  SURROGATE.lastIndex = from;
  return SURROGATE.exec(html)?.index ?? -1;
}
