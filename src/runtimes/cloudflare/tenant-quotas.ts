/** Reads the quotas of tenants from a variable: `{"acme":{"jobsRunning":5}}`. Omitted quotas have their defaults. */
import { SondeError } from '../../errors.js';
import { checkQuotas, type Quotas } from '../../jobs/index.js';

export type TenantQuotas = ReadonlyMap<string, Partial<Quotas>>;

const VARIABLE = 'SONDE_TENANT_QUOTAS';

/** `tenants` are the existing tenants. Any other name is refused, because it would have no effect. */
export function readTenantQuotas(text: string | undefined, tenants: ReadonlySet<string>): TenantQuotas {
  return new Map(
    Object.entries(objectIn(text ?? '{}')).map(([slug, given]) => {
      if (!tenants.has(slug)) throw invalid(`there is no tenant "${slug}"`);
      try {
        return [slug, checkQuotas(objectOf(given))];
      } catch (cause) {
        throw invalid(
          `${slug}: ${cause instanceof SondeError ? cause.message : 'expected an object'}`,
          cause,
        );
      }
    }),
  );
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text));
  } catch (cause) {
    throw invalid('expected a JSON object of tenants and their quotas', cause);
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new TypeError('not an object');
}

function invalid(fault: string, cause?: unknown): SondeError {
  return new SondeError('CONFIG_INVALID_VALUE', `${VARIABLE}: ${fault}`, {
    details: { key: VARIABLE },
    ...(cause !== undefined && { cause }),
  });
}
