/** Times in the API: RFC 3339 texts, from milliseconds since the epoch. */
import * as z from 'zod';

export const time = z.iso.datetime();

export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
