import { expect, test } from 'vitest';
import { readTenantQuotas } from './tenant-quotas.js';

const TENANTS = new Set(['default', 'acme']);

test('reads the quotas of named tenants, and none without the variable', () => {
  expect(readTenantQuotas('{"acme":{"jobsRunning":5}}', TENANTS).get('acme')).toEqual({ jobsRunning: 5 });
  expect(readTenantQuotas(undefined, TENANTS).size).toBe(0);
});

test.each([
  ['nonsense', 'a JSON object'],
  ['[]', 'a JSON object'],
  ['{"nobody":{}}', 'there is no tenant "nobody"'],
  ['{"acme":5}', 'acme: expected an object'],
  ['{"acme":{"jobs":5}}', 'acme: unknown quota "jobs"'],
  ['{"acme":{"webhooks":-1}}', 'acme: webhooks: expected a whole number'],
])('%s is refused: %s', (text, fault) => {
  const read = () => readTenantQuotas(text, TENANTS);
  expect(read).toThrow(fault);
  expect(read).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID_VALUE' }));
});
