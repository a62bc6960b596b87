/** Parses where a read begins: at an offset, or `skip` bytes after it. */
import { SondeError } from '../errors.js';
import type { PlaceName } from '../streams/index.js';

const SKIP = /^(?:0|[1-9]\d{0,14})$/;

/** Undefined if the query does not set it. */
export function readFrom(query: URLSearchParams): PlaceName | undefined {
  const [skip, ...moreSkips] = query.getAll('skip');
  const raw = query.get('live') === 'raw';
  if (skip === undefined && !raw) return undefined;
  const [offset, ...moreOffsets] = query.getAll('offset');
  if (offset === undefined || moreOffsets.length > 0)
    throw new SondeError('OFFSET_INVALID', 'a raw read, or one with skip, needs exactly one offset');
  if (moreSkips.length > 0 || (skip !== undefined && !SKIP.test(skip)))
    throw new SondeError('OFFSET_INVALID', 'skip must be a whole number of bytes, given once');
  return { offset, skip: Number(skip ?? 0) };
}
