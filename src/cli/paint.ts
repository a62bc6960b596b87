/**
 * Colours text by meaning, like all of Sonde's interfaces. No information is conveyed by colour alone. Because the
 * background is unknown, only the sixteen colours of the terminal's own theme are used.
 */
import { ownStyle } from './own-sequences.js';
import type { Output, Terminal } from './ports.js';

const SGR = { critical: 31, warn: 33, info: 34, pass: 32, accent: 36, muted: 90, strong: 1 } as const;

type Meaning = keyof typeof SGR;
export type Paint = (meaning: Meaning, text: string) => string;

/** NO_COLOR takes precedence over FORCE_COLOR, which takes precedence over the capabilities of the terminal. */
export function showsColour(output: Pick<Output, 'isTTY' | 'colourDepth'>, env: Terminal['env']): boolean {
  if (env['NO_COLOR']) return false;
  const force = env['FORCE_COLOR'];
  if (force) return force !== '0' && force !== 'false';
  return output.isTTY && env['TERM'] !== 'dumb' && output.colourDepth > 1;
}

/** For reports that are written to files. */
export const plainPaint: Paint = (_meaning, text) => text;

export function createPaint(output: Output, env: Terminal['env']): Paint {
  if (!showsColour(output, env)) return plainPaint;
  return (meaning, text) => `${ownStyle(SGR[meaning])}${text}${ownStyle(meaning === 'strong' ? 22 : 39)}`;
}
