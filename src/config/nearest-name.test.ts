import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.js';

const NAMES = ['server.host', 'server.port', 'net.ca', 'log.level'];

test('finds the name that was meant', () => {
  expect(nearestName('server.prot', NAMES)).toBe('server.port');
  expect(nearestName('Server.Host', NAMES)).toBe('server.host');
});

test('stays silent when nothing is close', () => {
  expect(nearestName('completely', NAMES)).toBeUndefined();
  expect(nearestName('x'.repeat(10_000), NAMES)).toBeUndefined();
});
