/**
 * Parses an envelope from a file or another process. Unknown fields are dropped (a later version may add some), every
 * list and text is bounded, and the error names the first invalid field.
 */
import { SondeError } from '../errors.js';
import { ENVELOPE_SCHEMA_VERSION, envelopeSchema, type SignalEnvelope } from './signal-envelope.js';

/** Throws `ENVELOPE_INVALID`. `name` is the file's name for the message. */
export function readEnvelope(value: unknown, name: string): SignalEnvelope {
  const parsed = envelopeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  throw new SondeError(
    'ENVELOPE_INVALID',
    `${name} is not an envelope of schema version ${ENVELOPE_SCHEMA_VERSION}: ${field === '' ? 'the document' : field}: ${issue?.message ?? 'invalid'}`,
    { details: { file: name, field } },
  );
}
