import { expect, test } from 'vitest';
import { judgeHostName } from './host-name.js';

const PRIVATE = `
  alt arpa cluster.local consul corp dmz docker example fritz.box home homenet internal internal.cloudapp.net intra
  intranet invalid kubernetes lan local localdomain localhost mail mesh nomad onion pod priv private svc test workgroup`;

test.each(PRIVATE.trim().split(/\s+/))('names under %s are private', (suffix) => {
  for (const name of [`a.${suffix}`, `a.b.${suffix}`]) expect(judgeHostName(name)).toBe('private_name');
  expect(judgeHostName(`a.x${suffix}.com`)).toBeUndefined();
});

const METADATA = `
  api.metadata.cloud.ibm.com instance-data instance-data.ec2.internal metadata metadata.goog metadata.google.internal
  metadata.hetzner.cloud metadata.packet.net metadata.platformequinix.com metadata.tencentyun.com`;

test.each(METADATA.trim().split(/\s+/))('%s is a metadata service, not just private', (name) => {
  expect(judgeHostName(name)).toBe('metadata_name');
});

test('every single-label name is private', () => {
  for (const name of ['server', 'com', 'a1']) expect(judgeHostName(name)).toBe('private_name');
});

test('a name that only looks like a private one is public', () => {
  for (const name of ['local.example.com', 'cloudapp.net', 'box.com', 'notlocal.com', 'lan.co.uk'])
    expect(judgeHostName(name)).toBeUndefined();
});

const LABEL_MAX = 'a'.repeat(63);

test('limits the length of labels and names', () => {
  expect(judgeHostName(`${LABEL_MAX}.com`)).toBeUndefined();
  expect(judgeHostName(`${LABEL_MAX}a.com`)).toBe('host_grammar');
  const long = `${LABEL_MAX}.${LABEL_MAX}.${LABEL_MAX}.${'a'.repeat(57)}.com`;
  expect([long.length, judgeHostName(long)]).toEqual([253, undefined]);
  expect(judgeHostName(`a${long.replace('.com', '.info')}`.slice(1))).toBe('host_grammar');
});

test.each([
  '',
  '.',
  'a..com',
  '.com',
  'com.',
  '-a.com',
  'a-.com',
  'a b.com',
  'a*.com',
  '$(x).com',
  'ä.com',
  'A.com',
])('%j is not a host name', (name) => {
  expect(judgeHostName(name)).toBe('host_grammar');
});

test.each(['a.com', 'a-b.com', 'a--b.com', '_dmarc.a.com', '1.a.com', 'xn--bcher-kva.com'])(
  '%s is a host name',
  (name) => {
    expect(judgeHostName(name)).toBeUndefined();
  },
);

test('rejects a malformed A-label', () => {
  expect(judgeHostName('xn--a.com')).toBe('host_grammar');
  expect(judgeHostName('www.xn--0.com')).toBe('host_grammar');
});
