/** Consumes the queue of deletions: passes each message to the object that sent it, and retries until that succeeds. */
import type { Log } from '../../../log.js';
import type { EdgeEnv } from '../edge-env.js';
import { hotBufferBy } from '../streams/hot-buffer-rpc.js';
import { unwrap } from '../wire-faults.js';
import type { DeletionMessage } from './stream-segments.js';

const RETRY_SECONDS = 5;
const RETRY_SECONDS_MAX = 3_600;

export async function consumeDeletions(env: EdgeEnv, batch: MessageBatch<unknown>, log: Log): Promise<void> {
  for (const message of batch.messages) {
    try {
      const { object, ticket } = message.body as DeletionMessage;
      await unwrap(hotBufferBy(env, object).purge(ticket));
      message.ack();
    } catch (error) {
      log.warn('a deletion failed; retrying', { attempts: message.attempts, err: error });
      // The platform counts retries. After its limit the message goes to the dead-letter queue; the ticket stays.
      message.retry({ delaySeconds: Math.min(RETRY_SECONDS * 2 ** message.attempts, RETRY_SECONDS_MAX) });
    }
  }
}
