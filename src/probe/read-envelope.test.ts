import { describe, expect, it } from 'vitest';
import { SondeError } from '../errors.js';
import { readEnvelope } from './read-envelope.js';

const seed = {
  schemaVersion: 1,
  comparisonId: 'c',
  probeId: 'c:left',
  side: 'left',
  requestedUrl: 'https://a.example/',
  capturedAt: '2026-01-02T03:04:05.678Z',
  result: {
    ok: true,
    response: { status: 200, finalUrl: 'https://a.example/', headers: { core: { vary: 'accept' } } },
    durationMs: 12.5,
  },
};

function faultOf(value: unknown): SondeError {
  try {
    readEnvelope(value, 'left.json');
  } catch (thrown) {
    if (thrown instanceof SondeError) return thrown;
  }
  throw new Error('accepted');
}

describe('readEnvelope', () => {
  it('reads an envelope with only the required fields', () => {
    expect(readEnvelope(seed, 'left.json')).toEqual(seed);
  });

  it('reads all three outcomes', () => {
    const failed = { ok: false, error: { code: 'dns_error', message: 'no' } };
    expect(readEnvelope({ ...seed, result: failed }, 'x').result).toEqual(failed);
    const refused = { ...seed.result, ok: false };
    expect(readEnvelope({ ...seed, result: refused }, 'x').result).toEqual(refused);
  });

  it('drops unknown fields', () => {
    expect(readEnvelope({ ...seed, later: 1 }, 'x')).toEqual(seed);
  });

  it('reports the file and the invalid field', () => {
    const fault = faultOf({ ...seed, side: 'middle' });
    expect(fault.code).toBe('ENVELOPE_INVALID');
    expect(fault.details).toEqual({ file: 'left.json', field: 'side' });
    expect(faultOf('text').message).toContain('the document');
    expect(faultOf({ ...seed, schemaVersion: 2 }).details).toMatchObject({ field: 'schemaVersion' });
  });

  it('rejects undefined for an optional field', () => {
    expect(faultOf({ ...seed, body: undefined }).details).toMatchObject({ field: 'body' });
  });
});
