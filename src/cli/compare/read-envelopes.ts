/** Reads saved envelopes for `--from`: a file contains one envelope, or a list of samples of one side. */
import { parseJson } from '../../config/parse-json.js';
import { SondeError } from '../../errors.js';
import { identifyEnvelope, readEnvelope, type Side, type SignalEnvelope } from '../../probe/index.js';
import type { Files } from '../ports.js';

const FILE_BYTES_MAX = 64 * 1024 * 1024;

export async function readEnvelopes(files: Files, name: string, side: Side): Promise<SignalEnvelope[]> {
  const parsed = parseJson(await files.readText(name, { bytesMax: FILE_BYTES_MAX }));
  if (!parsed.ok) {
    throw new SondeError('ENVELOPE_INVALID', `${name}:${parsed.line}:${parsed.column} is not valid JSON`);
  }
  const list: readonly unknown[] = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  if (list.length === 0) throw new SondeError('ENVELOPE_INVALID', `${name} contains no envelope`);
  return list.map((value, index) => {
    const place = list.length > 1 ? `${name} [${index}]` : name;
    return identifyEnvelope(readEnvelope(value, place), { comparisonId: 'saved', side, sample: index + 1 });
  });
}
