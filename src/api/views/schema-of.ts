/**
 * Ties a schema of the OpenAPI document to the type that the code uses: if the two differ in any field, the call does
 * not compile. Returns the schema unchanged.
 */
import type * as z from 'zod';
import type { DeepReadonly } from '../../deep-readonly.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export function schemaOf<Type>() {
  return <Schema extends z.ZodType>(
    schema: Same<DeepReadonly<z.output<Schema>>, DeepReadonly<Type>> extends true ? Schema : never,
  ): Schema => schema;
}
