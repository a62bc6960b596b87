import { expect, test } from 'vitest';
import { openInlineRecords } from '../../../test/support/inline-records.js';
import { uuidV7 } from '../../uuid.js';
import { sealWebhookUrls, UNREADABLE_URL } from './seal-webhook-urls.js';

const box = (key: string) => ({
  seal: async (text: string, owner: string) => `${key}|${owner}|${btoa(text)}`,
  async open(sealed: string, owner: string) {
    const [by, of, text = ''] = sealed.split('|');
    return by === key && of === owner ? atob(text) : undefined;
  },
});
const URL_WITH_SECRET = 'https://hooks.example/T00/secret-path';

test('seals URLs in the store, opens them for readers, and not with another key', async () => {
  const { webhooks, tenantId, enqueue, finishOne } = await openInlineRecords();
  const sealed = sealWebhookUrls(webhooks, box('one'));
  const webhookId = uuidV7(Date.now());
  const webhook = { webhookId, tenantId, url: URL_WITH_SECRET, keyId: 'k', events: ['hello.done'] } as const;
  expect(await sealed.create(webhook, 10)).toBe('created');
  expect((await webhooks.get(tenantId, webhookId))?.url).not.toContain('hooks.example');
  expect((await sealed.get(tenantId, webhookId))?.url).toBe(URL_WITH_SECRET);
  expect((await sealed.list(tenantId)).map(({ url }) => url)).toEqual([URL_WITH_SECRET]);
  const other = sealWebhookUrls(webhooks, box('two'));
  expect((await other.get(tenantId, webhookId))?.url).toBe(UNREADABLE_URL);
  expect(await sealed.get(tenantId, uuidV7(Date.now()))).toBeUndefined();

  await enqueue(1);
  await finishOne();
  const [due] = await sealed.claimDue({ keyId: 'k', limit: 9, holdMs: 1_000 });
  expect(due?.url).toBe(URL_WITH_SECRET);
  const { deliveryId = '', attempt = 0 } = due ?? {};
  const settlement = { deliveryId, attempt, outcome: 'delivered', delayMs: 0, result: '200' } as const;
  expect(await sealed.settle(settlement)).toBe(true);
  expect(await sealed.prune({ olderThanMs: -1, limit: 9 })).toBe(1);
  expect(await sealed.remove(tenantId, webhookId)).toBe(true);
});

test('opens a sealed text that happens to contain a URL', async () => {
  const { webhooks, tenantId } = await openInlineRecords();
  const sealed = sealWebhookUrls(webhooks, {
    seal: async (text) => `sealed ${text}`,
    open: async (text) => text.slice('sealed '.length),
  });
  const webhook = { webhookId: uuidV7(Date.now()), tenantId, keyId: 'k', events: ['hello.done'] } as const;
  await sealed.create({ ...webhook, url: URL_WITH_SECRET }, 10);
  expect((await sealed.get(tenantId, webhook.webhookId))?.url).toBe(URL_WITH_SECRET);
});
