/** Patterns in which `*` is any run of characters. A pattern is compiled once; matching takes linear time. */
import { matchesLiterals } from '../match-literals.js';

export type Glob = (text: string) => boolean;

export function compileGlob(pattern: string): Glob {
  // Two stars in a row are one; an empty literal between them would only be searched for.
  const literals = pattern.replace(/\*{2,}/g, '*').split('*');
  return (text) => matchesLiterals(literals, text);
}

export function matchesGlob(pattern: string, text: string): boolean {
  return compileGlob(pattern)(text);
}

export function anyGlob(patterns: readonly string[]): Glob {
  const globs = patterns.map(compileGlob);
  return (text) => globs.some((matches) => matches(text));
}
