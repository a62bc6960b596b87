/** The webhook sender of the edge. Loopback receivers are for a local run without authentication. */
import { type ClosableWebhookSender, createWebhookSender } from '../../../api/webhook-sender.js';
import type { EdgeSettings } from '../edge-settings.js';
import { createEdgeClient } from './edge-client.js';

export function createEdgeWebhookSender({ edge, server }: EdgeSettings): ClosableWebhookSender {
  return createWebhookSender({
    net: edge.net,
    openOutbound: createEdgeClient,
    openLoopback: server.auth === 'none',
  });
}
