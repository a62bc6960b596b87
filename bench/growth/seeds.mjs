// Rows that a server would have after long use, written with SQL into the files of a server that was started once.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const Database = createRequire(import.meta.url)('libsql');

/** The content of every stream. */
export const RECORD = 'whole';

/** @param {string} folder @param {string} file @param {readonly string[]} statements */
function write(folder, file, statements) {
  const database = new Database(join(folder, file));
  database.exec(['PRAGMA synchronous = OFF', 'BEGIN', ...statements, 'COMMIT'].join(';\n'));
  database.close();
  // Otherwise the server's first commit would have to write all of it to the disk.
  const opened = openSync(join(folder, file), 'r+');
  fsyncSync(opened);
  closeSync(opened);
}

/** @param {number} count */
const numbers = (count) =>
  `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})`;

/**
 * Inserts open streams of one record each. @param {string} folder @param {number} count @param {number | null}
 * expiresAt
 */
export function seedStreams(folder, count, expiresAt = null) {
  const expires = expiresAt === null ? 'NULL' : `'${new Date(expiresAt).toISOString()}'`;
  write(folder, 'sonde.db', [
    `${numbers(count)} INSERT INTO streams (
      stream_id, stream_hash, content_type, current_chunk_seq, chunk_bytes, chunk_start, total_bytes, write_units,
      created_at, accessed_at, stream_expires_at, closed, created_closed, deleted, ancestors, life, collection,
      expiry_check_at
    ) SELECT printf('stream/default/s/%08d', n), 'aaaaa', 'text/plain', 0, 5, 0, 5, 1, 0, 0, ${expires}, 0, 0, 0,
      '[]', printf('%08d', n), 'stream/default', ${expiresAt === null ? 'NULL' : expiresAt} FROM n`,
    // Copies the record of the stream that the server created itself.
    `${numbers(count)} INSERT INTO chunks (stream_id, chunk_seq, position, checksum, data, arrived_at)
      SELECT printf('%08d', n), 0, 0, (SELECT checksum FROM chunks LIMIT 1), CAST('${RECORD}' AS BLOB), 0 FROM n`,
    `UPDATE stream_totals SET open = open + ${count}, bytes = bytes + ${count * RECORD.length} WHERE tenant = 'default'`,
  ]);
}

/**
 * Adds this many records to the stream with that name. @param {string} folder @param {string} name @param {number}
 * count
 */
export function seedRecordsOf(folder, name, count) {
  const stream = `stream_id = 'stream/default/${name}'`;
  const bytes = count * RECORD.length;
  write(folder, 'sonde.db', [
    `${numbers(count)} INSERT INTO chunks (stream_id, chunk_seq, position, checksum, data, arrived_at)
      SELECT (SELECT life FROM streams WHERE ${stream}), 0, n * ${RECORD.length}, (SELECT checksum FROM chunks LIMIT 1),
        CAST('${RECORD}' AS BLOB), 0 FROM n`,
    `UPDATE streams SET chunk_bytes = chunk_bytes + ${bytes}, total_bytes = total_bytes + ${bytes} WHERE ${stream}`,
    `UPDATE stream_totals SET bytes = bytes + ${bytes} WHERE tenant = 'default'`,
  ]);
}

/**
 * Inserts ended jobs, a twentieth as many queued ones far ahead, and comparisons, ten per pair.
 * @param {string} folder @param {number} count
 */
export function seedRecords(folder, count) {
  const tenant = "(SELECT id FROM tenants WHERE slug = 'default')";
  const job = (/** @type {string} */ status, /** @type {string} */ times) => `INSERT INTO audit_jobs (
      job_id, tenant_id, kind, status, queued_at, run_at, started_at, finished_at, idempotency_key, payload_json
    ) SELECT printf('00000000-0000-7000-${status === 'done' ? '8' : '9'}000-%012d', n), ${tenant}, 'hello', '${status}',
      ${times}, printf('%064d', n), '{}' FROM n`;
  const far = Date.now() + 3_600_000;
  write(folder, 'records.db', [
    `${numbers(count)} ${job('done', 'n, n, n, n')}`,
    `${numbers(count / 20)} ${job('queued', `n, ${far}, NULL, NULL`)}`,
    `${numbers(count / 10)} INSERT INTO comparisons (
      id, tenant_id, ts, left_url, right_url, status, result_json
    ) SELECT printf('%040d:%08d', n / 10, n), ${tenant}, n, 'https://a/', 'https://b/',
      'completed', '{}' FROM n`,
  ]);
}
