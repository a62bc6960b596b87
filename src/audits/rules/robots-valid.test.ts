import { expect, it } from 'vitest';
import { outcomeOf, robotsFile } from '../../../test/support/audit-facts.js';
import { robotsValid } from './robots-valid.js';

it('fires for an unknown directive, with its line', () => {
  const robots = [robotsFile('User-agent: *\nDisalow: /a\n')];
  expect(outcomeOf(robotsValid, [], { robots })).toMatchObject({ status: 'fail', evidence: [{ line: 2 }] });
});

it('stays silent for a valid file, and does not apply without one', () => {
  const robots = [
    robotsFile('# hello\nUser-agent: *\nDisallow: /a\nSitemap: https://www.example.com/s.xml\n'),
  ];
  expect(outcomeOf(robotsValid, [], { robots }).status).toBe('pass');
  expect(outcomeOf(robotsValid, [], { robots: [robotsFile('', { status: 404 })] }).status).toBe(
    'not-applicable',
  );
});
