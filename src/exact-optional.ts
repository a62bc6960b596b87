/** An object member that may be absent but is never `undefined`, for schemas in the OpenAPI document. */
import * as z from 'zod';

export function exactOptional<T extends z.ZodType>(schema: T): z.ZodExactOptional<T> {
  const member = z.exactOptional(schema);
  const safeParse = member.safeParse.bind(member);
  // The document generator calls this to find out whether a member is required; objects do not use it to parse.
  member.safeParse = (value, context) =>
    value === undefined ? { success: true, data: value as never } : safeParse(value, context);
  return member;
}
