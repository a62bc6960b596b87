/** The thread that owns the records file. It may block, unlike the main thread. */
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { methodNames } from '../../../port-methods.js';
import { refuseUnknown } from '../../../stores/sqlite/prepare-schema.js';
import { createRecordStores, RECORD_FILE_SCHEMAS } from '../../../stores/sqlite/record-stores.js';
import { OpenFiles } from '../open-files.js';
import { CommitCounter } from '../sqlite/commit-counter.js';
import { findLostCommits } from '../sqlite/find-lost-writes.js';
import { IdleTrim } from '../sqlite/idle-trim.js';
import { openDatabase } from '../sqlite/open-database.js';
import { BatchTransactions, recordFault } from './batch-transactions.js';
import type { FromRecords, RecordsFile, ToRecords } from './records-messages.js';
import { RecordsTime } from './records-time.js';

const RECORDS = 'jobs, audits, comparisons, webhooks and tenants';

if (!parentPort) throw new Error('the records worker runs in a worker thread');
const port = parentPort;
const send = (message: FromRecords): void => port.postMessage(message);

try {
  const { path, ...kept } = workerData as RecordsFile;
  const database = openDatabase(path, {
    shared: true,
    refuse: (found) => refuseUnknown(found, RECORD_FILE_SCHEMAS),
  });
  // One writer at a time: if two processes migrate an older file at once, the second finds it done.
  database.begin();
  const time = new RecordsTime(database);
  const stores = createRecordStores(database, time.now, { ...kept, mayDestroy: time.mayDestroy });
  const counter = new CommitCounter(database, `${path}-mark`);
  database.commit();
  findLostCommits(database, counter, { folder: dirname(path), of: RECORDS });
  const batches = new BatchTransactions({
    database,
    stores,
    counter,
    files: new OpenFiles([path, `${path}-wal`]),
    clock: time,
  });
  const trim = new IdleTrim(database);
  trim.used();
  port.on('message', (message: ToRecords) => {
    if (message.kind === 'batch') {
      const from = performance.now();
      const results = batches.run(message.calls);
      trim.used();
      return send({ kind: 'results', results, heldMs: performance.now() - from });
    }
    trim.hold();
    database.close();
    counter.close();
    send({ kind: 'closed' });
    return port.close();
  });
  const methods = Object.entries(stores).map(([name, store]) => [name, methodNames(store)]);
  send({ kind: 'ready', methods: Object.fromEntries(methods) });
} catch (error) {
  send({ kind: 'failed', fault: recordFault(error) });
  port.close();
}
