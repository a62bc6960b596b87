import { expect, test } from 'vitest';
import { createTrustedPeers } from './trusted-peers.js';

test('matches addresses and ranges of both families', () => {
  const trusted = createTrustedPeers(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1']);
  const yes = ['10.255.0.1', '192.0.2.7', '2001:db8:1::1', '::1'];
  const no = ['11.0.0.1', '192.0.2.8', '2001:db9::1', '::2', 'localhost', '', '10.0.0.1:80'];
  expect(yes.filter(trusted)).toEqual(yes);
  expect(no.filter(trusted)).toEqual([]);
  expect(createTrustedPeers([])('127.0.0.1')).toBe(false);
});

test.each(['proxy.test', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '10.0.0.0/-1', ''])(
  'refuses %j',
  (entry) => {
    expect(() => createTrustedPeers([entry])).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID_VALUE' }),
    );
  },
);
