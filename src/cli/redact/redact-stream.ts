/**
 * Redacts a stream of bytes as text, in batches of whole lines, with bounded memory.
 *
 * A batch only ends where the next line cannot belong to it: never inside an armoured key (PEM, PGP, PuTTY), and not
 * after a line that continues on the next one (a trailing comma, colon, bracket or backslash), because a name on one
 * line classifies the value on the next. A longer run is split at `blockCharsMax`. A key block of that size is omitted
 * completely, as is a line above `lineCharsMax`. Bytes that are not UTF-8 become U+FFFD.
 */
import type { Redactor } from '../../net/redact/index.js';

export interface RedactLimits {
  readonly lineCharsMax: number;
  readonly blockCharsMax: number;
}

const LIMITS: RedactLimits = { lineCharsMax: 8 * 1024 * 1024, blockCharsMax: 64 * 1024 };

/** Armour in all spellings that the redactor recognises as a private key; public blocks are held too. */
const BEGIN = /-{4,5} ?BEGIN\b|Private-Lines:/g;
const END = /-{4,5} ?END\b|Private-MAC:/;
const ARMOURED = /^[\s>|#]*[A-Za-z0-9+/=]+\s*$/;

const continuesOnNext = (line: string): boolean => ',:{[(\\'.includes(line.trimEnd().at(-1) ?? ' ');

/** Whether a block is open after this line. */
function blockIsOpen(line: string, wasOpen: boolean): boolean {
  const begin = [...line.matchAll(BEGIN)].at(-1);
  if (begin) return !END.test(line.slice(begin.index));
  return wasOpen && !END.test(line);
}

export class StreamRedactor {
  /** Number of lines and key blocks that were too long to check. */
  leftOut = 0;
  readonly #redactor: Redactor;
  readonly #limits: RedactLimits;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #partial: string[] = [];
  #partialLength = 0;
  #isSkippingLine = false;
  #isSkippingBlock = false;
  #ready: string[] = [];
  #held: string[] = [];
  #heldLength = 0;
  #inBlock = false;

  constructor(redactor: Redactor, limits: RedactLimits = LIMITS) {
    this.#redactor = redactor;
    this.#limits = limits;
  }

  /** Returns the text that can be output now. */
  push(chunk: Uint8Array): string {
    this.#addText(this.#decoder.decode(chunk, { stream: true }));
    return this.#drain();
  }

  end(): string {
    this.#addText(this.#decoder.decode());
    if (this.#partialLength > 0) this.#addLine(this.#takePartial());
    this.#release();
    return this.#drain();
  }

  #drain(): string {
    if (this.#ready.length === 0) return '';
    const batch = this.#ready.join('');
    this.#ready = [];
    return this.#redactor.text(batch);
  }

  #addText(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#extend(text.slice(start, end + 1));
      start = end + 1;
      if (this.#isSkippingLine) this.#isSkippingLine = false;
      else if (this.#partialLength > 0) this.#addLine(this.#takePartial());
    }
    if (start < text.length) this.#extend(text.slice(start));
  }

  #extend(piece: string): void {
    if (this.#isSkippingLine) return;
    this.#partial.push(piece);
    this.#partialLength += piece.length;
    if (this.#partialLength <= this.#limits.lineCharsMax) return;
    this.#takePartial();
    this.#isSkippingLine = !piece.endsWith('\n');
    this.#omit(`[a line of more than ${this.#limits.lineCharsMax} characters was left out]`);
  }

  #takePartial(): string {
    const line = this.#partial.join('');
    this.#partial = [];
    this.#partialLength = 0;
    return line;
  }

  #addLine(line: string): void {
    if (this.#isSkippingBlock) {
      if (ARMOURED.test(line)) return;
      this.#isSkippingBlock = false;
      if (END.test(line)) return;
    }
    this.#held.push(line);
    this.#heldLength += line.length;
    this.#inBlock = blockIsOpen(line, this.#inBlock);
    if (!this.#inBlock && !continuesOnNext(line)) this.#release();
    else if (this.#heldLength > this.#limits.blockCharsMax) this.#overflow();
  }

  /** Called when the held run is too long to wait for its end. */
  #overflow(): void {
    if (this.#inBlock && ARMOURED.test(this.#held.at(-1) ?? '')) {
      this.#omit(`[a key block of more than ${this.#limits.blockCharsMax} characters was left out]`);
    } else this.#release();
  }

  /** Outputs `marker` instead of the omitted text. An open block is omitted up to its end. */
  #omit(marker: string): void {
    this.leftOut += 1;
    if (this.#inBlock) {
      this.#held.length = this.#held.findLastIndex((line) => line.search(BEGIN) >= 0);
      this.#isSkippingBlock = true;
    }
    this.#release();
    this.#ready.push(`${marker}\n`);
  }

  #release(): void {
    for (const line of this.#held) this.#ready.push(line);
    this.#held = [];
    this.#heldLength = 0;
    this.#inBlock = false;
  }
}
