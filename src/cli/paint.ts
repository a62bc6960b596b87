/**
 * Colour by meaning, as all of Sonde's surfaces use it. Nothing is conveyed by colour alone: what is
 * painted is a word that reads the same without. Only the sixteen colours that the person's own theme
 * defines are used, because the background is unknown.
 */
import type { Output, Terminal } from './ports.js';

const SGR = { critical: 31, warn: 33, info: 34, pass: 32, accent: 36, muted: 90, strong: 1 } as const;

type Meaning = keyof typeof SGR;
export type Paint = (meaning: Meaning, text: string) => string;

/** NO_COLOR wins over everything, then FORCE_COLOR, then whether this is a terminal that shows colour. */
export function showsColour(output: Pick<Output, 'isTTY' | 'colourDepth'>, env: Terminal['env']): boolean {
  if (env['NO_COLOR']) return false;
  const force = env['FORCE_COLOR'];
  if (force) return force !== '0' && force !== 'false';
  return output.isTTY && env['TERM'] !== 'dumb' && output.colourDepth > 1;
}

export function createPaint(output: Output, env: Terminal['env']): Paint {
  if (!showsColour(output, env)) return (_meaning, text) => text;
  return (meaning, text) => `\u001b[${SGR[meaning]}m${text}\u001b[${meaning === 'strong' ? 22 : 39}m`;
}
