import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlantedSides, type PlantedSides } from '../support/planted-drift/planted-sides.js';
import { expectClean, expectFound, PLANTED_CODES } from './compare-run.js';

let sides: PlantedSides;
beforeAll(async () => {
  sides = await openPlantedSides();
});
afterAll(() => sides.close());

test('every code is planted', () => expect(PLANTED_CODES.length).toBeGreaterThanOrEqual(70));

test.each(PLANTED_CODES)(
  '%s is found end to end, with its severity',
  (code) => expectFound(code, sides),
  30_000,
);

test.each(['page', 'api'] as const)(
  'the same %s behind two hosts compares clean, although parts of every response change',
  (name) => expectClean(name, sides),
);
