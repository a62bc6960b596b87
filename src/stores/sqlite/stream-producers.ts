/** The last sequence number of each idempotent producer of a stream. */
import type { ProducerTuple } from '../../streams/index.js';
import type { SqlDatabase } from './sql-database.js';
import { UPSERT_PRODUCER } from './stream-statements.js';

export function producerOf(
  database: SqlDatabase,
  life: string,
  producerId: string,
): ProducerTuple | undefined {
  const [row] = database.all('SELECT epoch, seq FROM producers WHERE stream_id = ? AND producer_id = ?', [
    life,
    producerId,
  ]);
  return row && { id: producerId, epoch: Number(row['epoch']), seq: Number(row['seq']) };
}

export function saveProducer(database: SqlDatabase, life: string, { id, epoch, seq }: ProducerTuple): void {
  database.run(UPSERT_PRODUCER, [life, id, epoch, seq]);
}
