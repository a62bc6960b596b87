import { expect, test } from 'vitest';
import { unknownVariables } from './read-env.js';

const messagesOf = (...names: readonly string[]) =>
  unknownVariables(Object.fromEntries(names.map((name) => [name, 'x']))).map(({ message }) => message);

test('only variables with our prefix are judged, and only if they have a value', () => {
  expect(messagesOf('SONDE', 'MY_SONDE_PROT', 'PROT', 'DATABASE_URL', 'SONDE_PORT')).toEqual([]);
  expect(messagesOf('SONDE_CONFIG', 'SONDE_CHROMIUM', 'SONDE_POSTGRES_BIN')).toEqual([]);
  expect(unknownVariables({ SONDE_PROT: '', SONDE_OLD: undefined })).toEqual([]);
});

test('an unknown variable is reported, with the name that it resembles', () => {
  expect(messagesOf('SONDE_PROT', 'SONDE_SOMETHING_ELSE')).toEqual([
    'SONDE_PROT is not a known setting (environment); did you mean SONDE_PORT?',
    'SONDE_SOMETHING_ELSE is not a known setting (environment)',
  ]);
});

test.each([
  ['SONDE_SERVICE_HOST', true],
  ['SONDE_SERVICE_PORT', true],
  ['SONDE_SERVICE_PORT_HTTP', true],
  ['SONDE_PORT_80_TCP', true],
  ['SONDE_PORT_80_TCP_ADDR', true],
  ['SONDE_PORT_53_UDP_PROTO', true],
  ['SONDE_PORT_9_SCTP', true],
  ['SONDE_SERVICE_HOST_X', false],
  ['SONDE_PORT_TCP', false],
  ['SONDE_PORT_80', false],
])('%s is set by Kubernetes: %j', (name, isLink) => {
  expect(messagesOf(name)[0]?.includes('enableServiceLinks: false')).toBe(isLink);
});
