/** Sketches of one thing each, for the families of which every two are compared. */
import type { HtmlFacts } from '../../src/probe/index.js';
import type { Sketch } from './make-envelope.js';

export const html = (facts: Partial<HtmlFacts>): Sketch => ({ html: facts });

export const blocks = (...texts: string[]): Sketch => ({ body: { text: { blocks: texts, cut: false } } });

/** Each as its level and its text: `2 Prices`. */
export const headings = (...texts: string[]): Sketch =>
  html({ headings: texts.map((one) => ({ level: Number(one.charAt(0)), text: one.slice(2) })) });

export const marked = (type: string, name: string): Sketch =>
  ({ body: { markers: [{ type, name }] } }) as unknown as Sketch;
