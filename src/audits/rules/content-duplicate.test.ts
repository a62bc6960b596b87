import { expect, it } from 'vitest';
import { outcomeOf, page, site } from '../../../test/support/audit-facts.js';
import { cpuMs } from '../../../test/support/cpu-time.js';
import { contentDuplicate } from './content-duplicate.js';

const words = (seed: string) =>
  Array.from({ length: 400 }, (_none, index) => `${seed}${(index * 7919) % 997}`).join(' ');
const saying = (path: string, text: string, head = '') =>
  page(path, { html: `<head>${head}</head><body><main>${text}</main></body>` });

it('fires for identical and nearly identical texts, as one group', () => {
  const pages = [
    saying('/a', words('x')),
    saying('/b', words('y')),
    saying('/c', words('x')),
    saying('/d', `${words('x')} end`),
  ];
  expect(outcomeOf(contentDuplicate, pages)).toMatchObject({
    status: 'fail',
    evidence: [
      {
        url: 'https://www.example.com/a',
        related: ['https://www.example.com/c', 'https://www.example.com/d'],
      },
    ],
  });
});

const SHORT =
  'Our shop on the market square repairs bicycles of every make, from the flat tyre to the broken frame. Come ' +
  'by without an appointment from Tuesday to Saturday, leave your wheel with us in the morning, and in most ' +
  'cases you ride it home in the evening for the price that we told you.';

it('fires for short texts that differ in a word or two', () => {
  const pages = [
    saying('/a', SHORT),
    saying('/b', SHORT.replace('bicycles', 'tricycles')),
    saying('/c', `${SHORT} Welcome!`),
    saying('/d', words('x').slice(0, SHORT.length)),
  ];
  expect(outcomeOf(contentDuplicate, pages)).toMatchObject({
    status: 'fail',
    evidence: [
      {
        url: 'https://www.example.com/a',
        related: ['https://www.example.com/b', 'https://www.example.com/c'],
      },
    ],
  });
});

it('stays silent for short texts of the same form with different content', () => {
  const offer = (town: string, day: string, price: number) =>
    `Bicycles in ${town}: our workshop in ${town} is open on ${day} and repairs your bicycle for ${price} euros. ` +
    `Ask for the price of parts in ${town}, or write to us before ${day}; we answer within a day.`;
  const pages = [saying('/a', offer('Bonn', 'Monday', 40)), saying('/b', offer('Ulm', 'Friday', 55))];
  expect(outcomeOf(contentDuplicate, pages).status).toBe('pass');
});

it('stays silent for unique texts, very short ones, and copies with a canonical', () => {
  expect(outcomeOf(contentDuplicate, [saying('/a', words('x')), saying('/b', words('y'))]).status).toBe(
    'pass',
  );
  expect(outcomeOf(contentDuplicate, [saying('/a', 'Hello'), saying('/b', 'Hello')]).status).toBe(
    'not-applicable',
  );
  const copy = saying('/b', words('x'), '<link rel=canonical href="https://www.example.com/a">');
  expect(outcomeOf(contentDuplicate, [saying('/a', words('x')), copy, saying('/c', words('z'))]).status).toBe(
    'pass',
  );
});

it('groups many pages of one template in steps, without comparing each with each', () => {
  const template = Array.from({ length: 60 }, (_none, index) => `word${index}`).join(' ');
  const cpuOf = (count: number) => {
    const pages = Array.from({ length: count }, (_none, n) => saying(`/${n}`, `${template} unique${n}`));
    const steps = contentDuplicate.runInSteps(pages, site({ pages }));
    let taken = 0;
    const ms = cpuMs(() => {
      for (let step = steps.next(); ; step = steps.next()) {
        if (!step.done) taken += 1;
        else {
          expect(step.value).toMatchObject({ evidence: [{ observed: `${count} pages with the same text` }] });
          return;
        }
      }
    });
    expect(taken).toBeGreaterThan(count / 20);
    return ms;
  };
  cpuOf(100);
  const once = Math.max(5, cpuOf(300));
  expect(cpuOf(1_200) / once).toBeLessThan(9);
});
