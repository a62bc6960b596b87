import { describe, expect, it } from 'vitest';
import { checkExplanation } from './explanation.js';
import { findJsonObject } from './find-json-object.js';

const valid = {
  summary: 's',
  ranked_causes: [
    { cause: 'small', confidence: 0.2, evidence: ['A:1'] },
    { cause: 'large', confidence: 0.9, evidence: ['B:1', 'A:1'] },
  ],
  actions: [{ action: 'a', why: 'w' }],
};
const ids = new Set(['A:1', 'B:1']);
const refusedWith = (change: object): string => {
  const checked = checkExplanation({ ...valid, ...change }, ids);
  return checked.ok ? 'accepted' : checked.why;
};

describe('checkExplanation', () => {
  it('accepts a valid explanation, sorts causes by confidence, and allows missing notes', () => {
    const checked = checkExplanation(valid, ids);
    expect(checked.ok && checked.explanation.ranked_causes.map(({ cause }) => cause)).toEqual([
      'large',
      'small',
    ]);
    expect(checked.ok && checked.explanation.notes).toEqual([]);
  });

  it('refuses a cited finding that does not exist', () => {
    const ranked_causes = [{ cause: 'x', confidence: 1, evidence: ['C:9'] }];
    expect(refusedWith({ ranked_causes })).toBe('ranked_causes.0 cites a finding that does not exist');
  });

  it.each([
    [{ summary: ' ' }, 'summary'],
    [{ ranked_causes: [{ cause: 'x', confidence: 1.5, evidence: ['A:1'] }] }, 'ranked_causes.0.confidence'],
    [{ ranked_causes: [{ cause: 'x', confidence: 1, evidence: [7] }] }, 'ranked_causes.0.evidence.0'],
    [{ ranked_causes: [{ cause: 'x', confidence: 1, evidence: [] }] }, 'cites no finding'],
    [{ actions: [{ action: 'a' }] }, 'actions.0.why'],
    [{ notes: [1] }, 'notes.0'],
  ])('refuses %j and names the field', (change, field) => {
    expect(refusedWith(change)).toContain(field);
  });
});

describe('findJsonObject', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['Here it is:\n```json\n{"a":"}"}\n```\nDone {ok}', { a: '}' }],
    ['{not json} {"b":{"c":"\\"{"}}', { b: { c: '"{' } }],
    ['nothing', undefined],
    ['{"cut":', undefined],
  ])('finds the object in %j', (text, found) => {
    expect(findJsonObject(text)).toEqual(found);
  });
});
