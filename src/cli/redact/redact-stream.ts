/**
 * Redacts a stream of bytes as text, in batches of whole lines, with bounded memory.
 *
 * A batch ends only where what follows cannot belong to what came before: never inside the armour of a key
 * (PEM, PGP, PuTTY), and not after a line that asks for the next one (a trailing comma, colon, bracket or
 * backslash), because a name on one line classifies the value on the next. Such a run is cut at
 * `blockCharsMax`; a key block that long is left out rather than shown in part, and so is a line above
 * `lineCharsMax`. Bytes that are not UTF-8 become U+FFFD.
 */
import type { Redactor } from '../../net/redact/index.js';

export interface RedactLimits {
  readonly lineCharsMax: number;
  readonly blockCharsMax: number;
}

const LIMITS: RedactLimits = { lineCharsMax: 8 * 1024 * 1024, blockCharsMax: 64 * 1024 };

/** Armour in all spellings that the redactor knows as a private key; public blocks are held as well. */
const BEGIN = /-{4,5} ?BEGIN\b|Private-Lines:/g;
const END = /-{4,5} ?END\b|Private-MAC:/;
const ARMOURED = /^[\s>|#]*[A-Za-z0-9+/=]+\s*$/;

const asksForNext = (line: string): boolean => ',:{[(\\'.includes(line.trimEnd().at(-1) ?? ' ');

/** Whether a block is open after this line. */
function blockIsOpen(line: string, wasOpen: boolean): boolean {
  const begin = [...line.matchAll(BEGIN)].at(-1);
  if (begin) return !END.test(line.slice(begin.index));
  return wasOpen && !END.test(line);
}

export class StreamRedactor {
  /** Lines and key blocks that were too long to be judged. */
  leftOut = 0;
  readonly #redactor: Redactor;
  readonly #limits: RedactLimits;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #partial: string[] = [];
  #partialLength = 0;
  #skipsLine = false;
  #skipsBlock = false;
  #ready: string[] = [];
  #held: string[] = [];
  #heldLength = 0;
  #inBlock = false;

  constructor(redactor: Redactor, limits: RedactLimits = LIMITS) {
    this.#redactor = redactor;
    this.#limits = limits;
  }

  /** The text that can be shown now. */
  push(chunk: Uint8Array): string {
    this.#take(this.#decoder.decode(chunk, { stream: true }));
    return this.#drain();
  }

  end(): string {
    this.#take(this.#decoder.decode());
    if (this.#partialLength > 0) this.#line(this.#takePartial());
    this.#release();
    return this.#drain();
  }

  #drain(): string {
    if (this.#ready.length === 0) return '';
    const batch = this.#ready.join('');
    this.#ready = [];
    return this.#redactor.text(batch);
  }

  #take(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#extend(text.slice(start, end + 1));
      start = end + 1;
      if (this.#skipsLine) this.#skipsLine = false;
      else if (this.#partialLength > 0) this.#line(this.#takePartial());
    }
    if (start < text.length) this.#extend(text.slice(start));
  }

  #extend(piece: string): void {
    if (this.#skipsLine) return;
    this.#partial.push(piece);
    this.#partialLength += piece.length;
    if (this.#partialLength <= this.#limits.lineCharsMax) return;
    this.#takePartial();
    this.#skipsLine = !piece.endsWith('\n');
    this.#leaveOut(`[a line of more than ${this.#limits.lineCharsMax} characters was left out]`);
  }

  #takePartial(): string {
    const line = this.#partial.join('');
    this.#partial = [];
    this.#partialLength = 0;
    return line;
  }

  #line(line: string): void {
    if (this.#skipsBlock) {
      if (ARMOURED.test(line)) return;
      this.#skipsBlock = false;
      if (END.test(line)) return;
    }
    this.#held.push(line);
    this.#heldLength += line.length;
    this.#inBlock = blockIsOpen(line, this.#inBlock);
    if (!this.#inBlock && !asksForNext(line)) this.#release();
    else if (this.#heldLength > this.#limits.blockCharsMax) this.#overflow();
  }

  /** The held run is too long to wait for its end. */
  #overflow(): void {
    if (this.#inBlock && ARMOURED.test(this.#held.at(-1) ?? '')) {
      this.#leaveOut(`[a key block of more than ${this.#limits.blockCharsMax} characters was left out]`);
    } else this.#release();
  }

  /** Puts `marker` in the place of what is not shown; an open block goes with it, to its end. */
  #leaveOut(marker: string): void {
    this.leftOut += 1;
    if (this.#inBlock) {
      this.#held.length = this.#held.findLastIndex((line) => line.search(BEGIN) >= 0);
      this.#skipsBlock = true;
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
