/** Maps rows of the subscription tables to port types, and back. */
import {
  comparePositions,
  type Position,
  type SeenStream,
  type SubscriptionLink,
  type SubscriptionMode,
  type SubscriptionRecord,
  type WakeState,
} from '../../streams/index.js';
import { textOrNull } from '../portable/sql-work.js';
import type { SqlRow, SqlValue } from './sql-database.js';

export function recordOf(row: SqlRow): SubscriptionRecord {
  return {
    tenant: String(row['tenant']),
    id: String(row['subscription_id']),
    mode: row['mode'] as SubscriptionMode,
    pattern: textOrNull(row['pattern']),
    webhookSealed: textOrNull(row['webhook_sealed']),
    wakeStream: textOrNull(row['wake_stream']),
    leaseMs: Number(row['lease_ms']),
    description: textOrNull(row['description']),
    createdAt: Number(row['created_at']),
    nonce: String(row['nonce']),
    baseUrl: String(row['base_url']),
    configHash: String(row['config_hash']),
    wake: wakeOf(row),
  };
}

/** `phase, generation, failing, wake_id, attempts, due_at, holder`. */
export function wakeColumns(wake: WakeState): readonly SqlValue[] {
  const shared = [wake.phase, wake.generation, wake.failing ? 1 : 0] as const;
  switch (wake.phase) {
    case 'idle':
      return [...shared, null, null, null, null];
    case 'woken':
      return [...shared, wake.wakeId, wake.attempts, wake.dueAt, null];
    case 'leased':
      return [...shared, wake.wakeId, null, wake.leaseUntil, wake.holder];
  }
}

export function linkOf(row: SqlRow): SubscriptionLink {
  const hash = row['stream_hash'];
  const tail = positionOf(row['tail_chunk'], row['tail_position']);
  return {
    path: String(row['path']),
    explicit: row['explicit'] === 1,
    stream: typeof hash === 'string' && tail ? { hash, tail } : null,
    acked: positionOf(row['acked_chunk'], row['acked_position']),
    pending: row['pending'] === 1,
  };
}

/** `path, explicit, stream_hash, tail_chunk, tail_position, acked_chunk, acked_position, pending`. */
export function linkColumns(link: Omit<SubscriptionLink, 'pending'>): readonly SqlValue[] {
  const { path, explicit, stream, acked } = link;
  return [
    path,
    explicit ? 1 : 0,
    stream?.hash ?? null,
    stream?.tail.chunk ?? null,
    stream?.tail.position ?? null,
    acked?.chunk ?? null,
    acked?.position ?? null,
    isPending(stream, acked) ? 1 : 0,
  ];
}

/** An empty stream that was never acknowledged has nothing pending. */
function isPending(stream: SeenStream | null, acked: Position | null): boolean {
  return stream !== null && comparePositions(stream.tail, acked ?? { chunk: 0, position: 0 }) > 0;
}

function wakeOf(row: SqlRow): WakeState {
  const shared = { generation: Number(row['generation']), failing: row['failing'] === 1 };
  const wakeId = String(row['wake_id']);
  const dueAt = row['due_at'];
  if (row['phase'] === 'woken') {
    return {
      phase: 'woken',
      ...shared,
      wakeId,
      attempts: Number(row['attempts']),
      dueAt: typeof dueAt === 'number' ? dueAt : null,
    };
  }
  if (row['phase'] !== 'leased') return { phase: 'idle', ...shared };
  return { phase: 'leased', ...shared, wakeId, leaseUntil: Number(dueAt), holder: textOrNull(row['holder']) };
}

function positionOf(chunk: SqlValue | undefined, position: SqlValue | undefined): Position | null {
  return typeof chunk === 'number' && typeof position === 'number' ? { chunk, position } : null;
}
