/**
 * Checks at the start that stored rows can be opened with the keys of this process. If the keys were lost, for example
 * because the data folder was restored without `secrets/`, webhooks are never called and comparisons fail, and only
 * the original keys can change that. So the operator is told at once.
 */
import type { Log } from '../../../log.js';
import type { SealedRows } from '../../../stores/portable/sealed-rows.js';

/** Rows of each kind that are checked. Opening this many takes some 20 ms. */
export const SEALS_CHECKED_MAX = 1_000;
const SEALED_ELSEWHERE =
  'sealed with a key that this process does not have. Restore secrets/ of the data folder, or the secrets in the settings, and restart';

export interface SealedRowSource {
  find(limit: number): Promise<SealedRows>;
}

interface Box {
  open(sealed: string, owner: string): Promise<string | undefined>;
}

export interface SealCheck {
  readonly keyId: string;
  readonly webhookBox: Box;
  openSide(sealed: Uint8Array): Promise<unknown>;
  readonly log: Log;
}

/** Logs what cannot be opened and returns it, one line for each kind of row. A failing check prevents no start. */
export async function findLostSeals(source: SealedRowSource, check: SealCheck): Promise<readonly string[]> {
  try {
    const lost = await describeLost(await source.find(SEALS_CHECKED_MAX), check);
    for (const line of lost) check.log.warn(line);
    return lost;
  } catch (error) {
    check.log.warn('whether stored rows can be opened was not checked', { err: error });
    return [];
  }
}

async function describeLost(
  { webhooks, sides }: SealedRows,
  { keyId, webhookBox, openSide }: SealCheck,
): Promise<readonly string[]> {
  const lostWebhooks = await countAsync(
    webhooks,
    async (row) => row.keyId !== keyId || !(await opens(webhookBox, row)),
  );
  const lostSides = await countAsync(sides, (side) =>
    openSide(side).then(
      () => false,
      () => true,
    ),
  );
  return [
    ...lostLine(lostWebhooks, 'webhooks of finished jobs cannot be called'),
    ...lostLine(lostSides, 'sides of running comparisons cannot be read'),
  ];
}

async function opens(box: Box, { webhookId, url }: SealedRows['webhooks'][number]): Promise<boolean> {
  return (await box.open(url, webhookId)) !== undefined;
}

/** `count` is of the rows that were checked. */
export function lostLine(count: number, effect: string): readonly string[] {
  return count === 0 ? [] : [`${effect} (${count}): ${SEALED_ELSEWHERE}`];
}

async function countAsync<T>(rows: readonly T[], test: (row: T) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (const row of rows) if (await test(row)) count++;
  return count;
}
