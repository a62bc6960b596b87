/**
 * Decodes the content codings that the platform does not. The platform decodes gzip and brotli. This decodes x-gzip and
 * deflate, which is zlib by the standard but raw deflate on some servers. Any other coding is refused.
 */
import { SondeError } from '../../../errors.js';
import { type HeaderList, headerValues } from '../../../net/index.js';

type Format = 'gzip' | 'deflate' | 'deflate-raw';
type Bytes = ReadableStream<Uint8Array>;

export function decodedStream(headers: HeaderList, stream: Bytes | null): Bytes | null {
  const coding = headerValues(headers, 'content-encoding').join(',').trim().toLowerCase();
  switch (coding) {
    case '':
    case 'identity':
    case 'gzip':
    case 'br':
      return stream;
    case 'x-gzip':
      return stream && inflate(stream, () => 'gzip');
    case 'deflate':
      return stream && inflate(stream, deflateOf);
    default:
      if (!stream) return null;
      throw new SondeError(
        'decode_error',
        `the body has the unsupported coding ${JSON.stringify(coding.slice(0, 40))}`,
      );
  }
}

/** RFC 1950: the method is 8, and the first two bytes are a multiple of 31. */
function deflateOf([first = 0, second = 0]: Uint8Array): Format {
  return (first & 15) === 8 && ((first << 8) | second) % 31 === 0 ? 'deflate' : 'deflate-raw';
}

/** Creates the decoder with the first bytes, because an empty body must not be decoded. */
function inflate(stream: Bytes, formatOf: (first: Uint8Array) => Format): Bytes {
  const coded = stream.getReader();
  let plain: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      plain ??= await decoderOver(coded, formatOf);
      const piece = await plain?.read();
      if (!piece || piece.done) controller.close();
      else controller.enqueue(piece.value);
    },
    cancel: (reason) => coded.cancel(reason),
  });
}

async function decoderOver(
  coded: ReadableStreamDefaultReader<Uint8Array>,
  formatOf: (first: Uint8Array) => Format,
): Promise<ReadableStreamDefaultReader<Uint8Array> | undefined> {
  const first = await coded.read();
  if (first.done) return undefined;
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(first.value),
    async pull(controller) {
      const piece = await coded.read();
      if (piece.done) controller.close();
      else controller.enqueue(piece.value);
    },
  });
  return source.pipeThrough(new DecompressionStream(formatOf(first.value))).getReader();
}
