import { expect, test } from 'vitest';
import { DEFAULT_PROXY_SETTINGS, proxySettingsOf } from './proxy-deps.js';

test('the defaults', () => {
  expect(DEFAULT_PROXY_SETTINGS).toEqual({
    headersMs: 60_000,
    idleMs: 600_000,
    responseBytesMax: 1_073_741_824,
    flushBytes: 4_096,
    flushMs: 50,
    pace: null,
    keepMs: 86_400_000,
    urlMs: 86_400_000,
    orphanPolicy: null,
    streamsMax: 5_000,
    headlessMax: 10_000,
  });
});

test('settings replace the defaults; the orphan policy is parsed', () => {
  const { pace, headlessMax, ...given } = DEFAULT_PROXY_SETTINGS;
  const settings = { ...given, flushMs: 7, orphanPolicy: 'cancel-after=2s' };
  expect(proxySettingsOf(settings)).toEqual({
    ...{ ...given, pace, headlessMax },
    flushMs: 7,
    orphanPolicy: { cancelAfterMs: 2_000 },
  });
});
