import { expect, test } from 'vitest';
import { createWebhookKey, signWebhook, writtenSecret } from './sign-webhook.js';

const bytes = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

test('matches the signature of the Standard Webhooks example', () => {
  const secret = bytes('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const parts = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    seconds: 1_614_265_330,
    body: '{"test": 2432232314}',
  };
  expect(signWebhook(secret, parts)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  expect(writtenSecret(secret)).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
});

test('derives a secret from the key and the webhook, and a key id that does not reveal the key', () => {
  const key = createWebhookKey('server key');
  expect(key.keyId).toMatch(/^[0-9a-f]{16}$/);
  expect(createWebhookKey('server key').keyId).toBe(key.keyId);
  expect(createWebhookKey('another key').keyId).not.toBe(key.keyId);
  const secrets = [key.secretOf('a'), key.secretOf('b'), createWebhookKey('another key').secretOf('a')];
  expect(new Set(secrets.map(writtenSecret)).size).toBe(3);
  expect(key.secretOf('a')).toEqual(key.secretOf('a'));
});
