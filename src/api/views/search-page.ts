/**
 * Pages of a list with a filter that no index supports. A page reads a bounded number of rows, so its cost does not grow
 * with the list: it can end before it is full, and then `next` continues where it stopped.
 */

/** Rows that one page reads. */
export const SEARCHED_MAX = 2_000;
/** Rows that are read at once. */
const READ_AT_ONCE = 200;

interface Search<Item, Position> {
  readonly limit: number;
  readonly after: Position | undefined;
  /** Returns at most `count` items after the position. */
  read(after: Position | undefined, count: number): Promise<readonly Item[]>;
  positionOf(item: Item): Position;
  /** Undefined if every item matches. */
  readonly matches: ((item: Item) => boolean) | undefined;
}

export interface SearchPage<Item, Position> {
  readonly items: readonly Item[];
  readonly next: Position | null;
}

export async function searchPage<Item, Position>({
  limit,
  after: from,
  read,
  positionOf,
  matches,
}: Search<Item, Position>): Promise<SearchPage<Item, Position>> {
  const items: Item[] = [];
  const count = matches ? READ_AT_ONCE : limit;
  let after = from;
  for (let searched = 0; searched < SEARCHED_MAX; searched += count) {
    const found = await read(after, count + 1);
    for (const [at, item] of found.slice(0, count).entries()) {
      after = positionOf(item);
      if (!matches || matches(item)) items.push(item);
      if (items.length === limit) return { items, next: at + 1 < found.length ? after : null };
    }
    if (found.length <= count) return { items, next: null };
  }
  return { items, next: after ?? null };
}

/** Finds text in what the caller sees of an item, in any case. Undefined without text, when every item matches. */
export function textFilter<Item>(
  text: string | undefined,
  shown: (item: Item) => string,
): ((item: Item) => boolean) | undefined {
  if (text === undefined) return undefined;
  const wanted = text.toLowerCase();
  return (item) => shown(item).toLowerCase().includes(wanted);
}
