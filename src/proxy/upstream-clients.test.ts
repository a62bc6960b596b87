import { expect, test } from 'vitest';
import type { OutboundClient, OutboundPolicy } from '../net/index.js';
import { openUpstreamClients } from './upstream-clients.js';

test('only a lifted request uses the client that may reach private origins; both are closed', async () => {
  const log: string[] = [];
  const open = ({ allowPrivate = [] }: OutboundPolicy) => {
    const name = allowPrivate.join(' ');
    return {
      fetch: async () => void log.push(`fetch ${name}`),
      close: async () => void log.push(`close ${name}`),
    } as unknown as OutboundClient;
  };
  const { outbound, close } = openUpstreamClients({ allowPrivate: ['http://a'] }, open, ['http://b']);
  await outbound.fetch({ url: 'http://b' }, true);
  await outbound.fetch({ url: 'http://b' }, false);
  await close();
  expect(log).toEqual([
    'fetch http://a http://b',
    'fetch http://a',
    'close http://a',
    'close http://a http://b',
  ]);
});
