/**
 * The fields of a HAR 1.2 entry that we use. Recorders differ and omit fields, so every field except the URL may be
 * missing or invalid; an invalid one counts as missing. `-1` means "unknown" throughout the format.
 */
import * as z from 'zod';

const text = z.string().catch('');
const number = z.number().catch(-1);
const pairs = z.array(z.object({ name: z.string(), value: text })).catch([]);

const timings = z
  .object({ dns: number, connect: number, ssl: number, send: number, wait: number, receive: number })
  .partial()
  .catch({});

const content = z
  .object({
    size: number,
    mimeType: text,
    text: z.string().optional().catch(undefined),
    encoding: text,
  })
  .catch({ size: -1, mimeType: '', text: undefined, encoding: '' });

export const harEntrySchema = z.object({
  pageref: z.string().optional().catch(undefined),
  startedDateTime: text,
  time: number,
  _fromCache: z.string().optional().catch(undefined),
  _resourceType: z.string().optional().catch(undefined),
  serverIPAddress: z.string().optional().catch(undefined),
  timings,
  request: z.object({
    method: z.string().catch('GET'),
    url: z.string(),
    httpVersion: text,
    headers: pairs,
    cookies: pairs,
  }),
  response: z.object({
    status: number,
    httpVersion: text,
    headers: pairs,
    cookies: pairs,
    content,
    redirectURL: text,
    _error: z.string().nullish().catch(undefined),
  }),
});

export type HarEntry = z.infer<typeof harEntrySchema>;

export interface HarCreator {
  readonly name: string;
  readonly version: string;
}

export function readCreator(value: unknown): HarCreator {
  return z
    .object({ name: text, version: text })
    .catch({ name: '', version: '' })
    .parse(value ?? {});
}
