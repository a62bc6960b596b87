/** Pages of lists that are sorted by time, newest first. A cursor is `{milliseconds}.{id}` of the last item. */
import * as z from 'zod';
import type { SondeError } from '../../errors.js';
import { invalidField } from '../../kernel/invalid-request.js';
import { limitParam } from './operation.js';

const CURSOR = /^(\d{1,15})\.([0-9a-f-]{36})$/;

export const pageParams = {
  limit: limitParam(200, 50),
  cursor: z.string().max(64).optional().describe('`next` of the previous page.'),
};

export function readCursor(text: string | undefined): { at: number; id: string } | undefined {
  if (text === undefined) return undefined;
  const [, at, id = ''] = CURSOR.exec(text) ?? [];
  if (at === undefined) throw invalidCursor();
  return { at: Number(at), id };
}

export function invalidCursor(): SondeError {
  return invalidField('query.cursor', 'query.cursor must be the "next" of an earlier page.');
}

/** `items` has one more than `limit` if there is another page. */
export function pageOf<Item>(items: readonly Item[], limit: number, cursorOf: (last: Item) => string) {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return { page, next: items.length > limit && last ? cursorOf(last) : null };
}
