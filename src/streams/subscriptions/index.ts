/** The public door of subscriptions; `streams/index.ts` hands it on. */
export {
  decideWake,
  FIRST_STATE,
  mayAcknowledge,
  type SubscriptionMode,
  type WakeEvent,
  type WakeState,
} from './decide-wake.js';
export { isReservedPath, streamIdOf } from './stream-path.js';
export type { SubscriptionLimits } from './subscription-limits.js';
export { SubscriptionService } from './subscription-service.js';
export type {
  Ack,
  CreateOutcome,
  LinkOutcome,
  Look,
  NewLink,
  NewSubscription,
  SeenStream,
  StepFacts,
  StepOutcome,
  SubscriptionEvent,
  SubscriptionKey,
  SubscriptionLink,
  SubscriptionRecord,
  SubscriptionStore,
} from './subscription-store.js';
export type { SecretBox, WebhookCall, WebhookDoor, WebhookSigner } from './webhook-ports.js';
