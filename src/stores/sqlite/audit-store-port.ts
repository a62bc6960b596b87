/** The audit store's port over its synchronous engine, wherever that is hosted: `call` takes one method over. */
import type { AuditRecord, AuditStore } from '../../audits/index.js';
import type { SqliteAuditStore } from './sqlite-audit-store.js';

type Methods = Pick<
  SqliteAuditStore,
  | 'createAudit'
  | 'getAudit'
  | 'listAudits'
  | 'startAudit'
  | 'finishAudit'
  | 'removeAudit'
  | 'putPart'
  | 'getPart'
>;

export type CallAuditStore = <M extends keyof Methods>(
  method: M,
  ...args: Parameters<Methods[M]>
) => Promise<ReturnType<Methods[M]>>;

export function auditStorePort(call: CallAuditStore): AuditStore {
  return {
    createAudit: (audit) => call('createAudit', audit),
    getAudit: (tenantId, id) => call('getAudit', tenantId, id),
    listAudits: (tenantId, page) => call('listAudits', tenantId, page),
    startAudit: (id) => call('startAudit', id),
    finishAudit: (ending) => call('finishAudit', ending),
    removeAudit: (tenantId, id) => call('removeAudit', tenantId, id),
    recordOf: (id): AuditRecord => ({
      put: (part, value) => call('putPart', id, part, JSON.stringify(value)),
      async get(part) {
        const body = await call('getPart', id, part);
        return body === null ? undefined : (JSON.parse(body) as unknown);
      },
    }),
  };
}
