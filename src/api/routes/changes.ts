/**
 * `GET /api/changes` reports changes in those lists of a tenant that the credential's scopes allow. A change only names
 * the item to fetch again. A reader that has missed changes gets `reset` and fetches everything again.
 */
import * as z from 'zod';
import { JOB_KINDS } from '../../jobs/index.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { toResponse } from '../../kernel/web-door.js';
import { includesScope, type TenantScope } from '../../scopes.js';
import type { App, AppContext, AppDeps } from '../app-env.js';
import { demandScope } from '../auth/require-scope.js';
import { type Change, type ChangePage, ChangeView, type NumberedChange } from '../changes/change.js';
import { isChangeId } from '../changes/change-log.js';
import type { AppRecords } from '../records.js';
import { storeErrors } from '../views/error-responses.js';
import { type EventStream, replyWithEventStream } from '../views/event-stream.js';
import { addOperation, operations, optionalText } from '../views/operation.js';

const route = operations('Operations').get('/api/changes', 'followChanges', {
  summary: 'Follow changes of jobs, streams and responses',
  description:
    'Server-sent events. `hello` gives the first id of a new connection, `change` identifies what changed, and `reset` ' +
    'means that changes were lost: fetch every list again. Jobs need the read scope of their kind, streams ' +
    '`stream:read`, responses `proxy:read`; others are left out. A response lasts for `server.sseMs` at most; resume with ' +
    '`Last-Event-ID`.',
  request: {
    query: z.object({
      after: optionalText('Id of the last event received, for clients without the header.'),
    }),
    headers: z.object({
      'Last-Event-ID': optionalText('Id of the last event received. Takes precedence over `after`.'),
    }),
  },
  responses: {
    200: { description: 'Events as they happen.', content: { 'text/event-stream': { schema: ChangeView } } },
    ...storeErrors('TOO_MANY_READERS'),
  },
});

export function addChanges(app: App, { changes, records, stopping, settings }: AppDeps): void {
  if (!changes || !records) return;
  addOperation(app, route, async (c) => {
    const canRead = readableChanges(c);
    const tenant = await tenantOfReader(c, records);
    const after = readAfter(c);
    const stream: EventStream = {
      tenant,
      sseMs: settings.sseMs,
      stopping,
      async *frames(signal) {
        for (let at = after; !signal.aborted; ) {
          const page = await changes.page(tenant, { after: at, signal });
          yield at === undefined ? emptyFrame('hello', page.last) : framesIn(page, canRead);
          at = page.last;
        }
      },
    };
    return toResponse(replyWithEventStream(stream, c.req.raw.signal));
  });
}

/** Each of these scopes allows reading some changes. */
const READ_SCOPES: readonly TenantScope[] = ['audit:read', 'compare:read', 'stream:read', 'proxy:read'];

function readableChanges(c: AppContext): (change: Change) => boolean {
  const scopes = c.get('principal')?.scopes ?? new Set();
  return (change) => includesScope(scopes, scopeOf(change));
}

function scopeOf(change: Change) {
  if (change.kind === 'job') return JOB_KINDS[change.jobKind].readScope;
  return change.kind === 'stream' ? 'stream:read' : 'proxy:read';
}

function tenantOfReader(c: AppContext, records: AppRecords) {
  const scopes = c.get('principal')?.scopes ?? new Set();
  const scope = READ_SCOPES.find((each) => includesScope(scopes, each)) ?? 'audit:read';
  return records.tenants.need(demandScope(c, scope).tenant);
}

function readAfter(c: AppContext): string | undefined {
  const given = c.req.header('last-event-id') ?? c.req.query('after');
  if (given === undefined || isChangeId(given)) return given;
  throw invalidField('header.last-event-id', 'Last-Event-ID must be the id of an event of this feed.');
}

function framesIn({ reset, changes, last }: ChangePage, canRead: (change: Change) => boolean): string {
  if (reset) return emptyFrame('reset', last);
  return changes
    .filter(({ change }) => canRead(change))
    .map(frameOf)
    .join('');
}

const emptyFrame = (event: 'hello' | 'reset', id: string): string =>
  `id: ${id}\nevent: ${event}\ndata: {}\n\n`;

function frameOf({ id, change }: NumberedChange): string {
  return `id: ${id}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
}
