import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.js';

const NAMES = ['server.host', 'server.port', 'net.ca', 'log.level'];

test('finds the closest name', () => {
  expect(nearestName('server.prot', NAMES)).toBe('server.port');
  expect(nearestName('Server.Host', NAMES)).toBe('server.host');
});

test('returns nothing if no name is close', () => {
  expect(nearestName('completely', NAMES)).toBeUndefined();
  expect(nearestName('x'.repeat(10_000), NAMES)).toBeUndefined();
});
