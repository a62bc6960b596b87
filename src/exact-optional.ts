/** A member of an object that may be absent but is never `undefined`, in schemas that the OpenAPI document shows. */
import * as z from 'zod';

export function exactOptional<T extends z.ZodType>(schema: T): z.ZodExactOptional<T> {
  const member = z.exactOptional(schema);
  const safeParse = member.safeParse.bind(member);
  // The document's generator asks this whether a member is required. Objects parse their members another way.
  member.safeParse = (value, context) =>
    value === undefined ? { success: true, data: value as never } : safeParse(value, context);
  return member;
}
