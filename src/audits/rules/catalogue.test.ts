import { expect, it } from 'vitest';
import { CATEGORIES } from '../rule.js';
import { RULES } from './index.js';

it('has the 71 rules of the catalogue, each once', () => {
  expect(RULES).toHaveLength(71);
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(71);
});

it('says of each what it is, why it matters and what to do', () => {
  for (const { id, title, why, fix, weight, category } of RULES) {
    expect(CATEGORIES, id).toContain(category);
    expect(weight, id).toBeGreaterThanOrEqual(1);
    expect(weight, id).toBeLessThanOrEqual(10);
    for (const text of [title, why, fix]) expect(text.length, id).toBeGreaterThan(10);
  }
});
