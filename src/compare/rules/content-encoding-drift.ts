/** Compression that only one side uses. */
import { sameField } from '../compare-headers.js';
import { NAME, type Rule, weakerSide } from '../rule.js';
import type { SampleView } from '../sample-view.js';

/** Bodies below this size are not worth compressing. */
const WORTHWHILE_BYTES = 1400;

export const contentEncodingDrift: Rule = {
  code: 'CONTENT_ENCODING_DRIFT',
  version: 2,
  title: 'Compression differs',
  about:
    'The candidate sends a compressible body uncompressed: a warning. A different encoding, or a small body: info.',
  recommendation: 'Enable compression for this type on the web server or CDN.',
  inputs: ['headers.extended'],
  claims: ['content-encoding'],
  compare(left, right) {
    if (sameField(left, right, 'content-encoding')) return undefined;
    const a = encodingOf(left);
    const b = encodingOf(right);
    if (a === b) return undefined;
    const weaker = a === 'identity' ? 'left' : b === 'identity' ? 'right' : undefined;
    const plain = weaker === 'left' ? left : right;
    const bytes = plain.envelope.body?.bytes ?? WORTHWHILE_BYTES;
    return {
      section: 'headers',
      key: 'content-encoding',
      left: a,
      right: b,
      severity: weaker && bytes >= WORTHWHILE_BYTES ? 'warn' : 'info',
      direction: weaker ? weakerSide(weaker) : 'changed',
      message: `The body is sent as ${a} by ${NAME.left} and as ${b} by ${NAME.right}`,
      note: `${left.envelope.body?.bytes ?? '?'} and ${right.envelope.body?.bytes ?? '?'} decoded bytes`,
      kind: `${a} ${b}`,
    };
  },
};

function encodingOf(view: SampleView): string {
  return view.canonical('content-encoding') ?? 'identity';
}
