/**
 * Locates objects and segments: all object ids and the bucket come from here. An object's id depends on its
 * jurisdiction, so `SONDE_JURISDICTION` must be set before the first deployment or never. If it changed later, all
 * existing data would be at ids that are never requested.
 */
import type { EdgeEnv } from './edge-env.js';

export type ObjectBinding = 'HotBuffer' | 'AuditLedger' | 'ENVPAIR_DO';

export const JURISDICTIONS = ['eu', 'fedramp'] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

export const JURISDICTION_VARIABLE = 'SONDE_JURISDICTION';

export function objectIdOf(env: EdgeEnv, binding: ObjectBinding, name: string): DurableObjectId {
  return namespaceOf(env, binding).idFromName(name);
}

/** The platform's stub type is too deep for the compiler, so callers name the interface that the class implements. */
export function objectOf<Rpc>(env: EdgeEnv, binding: ObjectBinding, name: string): Rpc {
  const namespace = namespaceOf(env, binding);
  return namespace.get(namespace.idFromName(name)) as unknown as Rpc;
}

/** By the object's own id, for callers that do not have its name. */
export function objectById<Rpc>(env: EdgeEnv, binding: ObjectBinding, id: string): Rpc {
  const namespace = namespaceOf(env, binding);
  return namespace.get(namespace.idFromString(id)) as unknown as Rpc;
}

/** The bucket of cold segments. Each jurisdiction has its own, bound for example as `COLD_SEGMENTS_EU`. */
export function bucketOf(env: EdgeEnv): R2Bucket {
  const name = bucketBinding(env);
  const bucket = name === 'COLD_SEGMENTS' ? env.COLD_SEGMENTS : (env[name] as R2Bucket | undefined);
  if (!bucket) throw new Error(`the bucket ${name} is not bound`);
  return bucket;
}

export function bucketBinding(env: EdgeEnv): string {
  const jurisdiction = jurisdictionOf(env);
  return jurisdiction ? `COLD_SEGMENTS_${jurisdiction.toUpperCase()}` : 'COLD_SEGMENTS';
}

export function jurisdictionOf(env: EdgeEnv): Jurisdiction | undefined {
  const given = env[JURISDICTION_VARIABLE];
  return JURISDICTIONS.find((each) => each === given);
}

function namespaceOf(env: EdgeEnv, binding: ObjectBinding): DurableObjectNamespace {
  const jurisdiction = jurisdictionOf(env);
  return jurisdiction ? env[binding].jurisdiction(jurisdiction) : env[binding];
}
