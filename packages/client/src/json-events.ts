/** Parses server-sent events whose data is JSON, as they arrive. `[DONE]` is skipped. */
export function jsonEvents<T>(body: ReadableStream<Uint8Array>): ReadableStream<T> {
  let rest = '';
  let data: string[] = [];
  const readLine = (line: string, controller: TransformStreamDefaultController<T>) => {
    if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    if (line !== '' || data.length === 0) return;
    const text = data.join('\n');
    data = [];
    if (text !== '[DONE]') controller.enqueue(JSON.parse(text) as T);
  };
  const events = new TransformStream<string, T>({
    transform(text, controller) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) readLine(line.replace(/\r$/, ''), controller);
    },
    flush(controller) {
      readLine(rest, controller);
      readLine('', controller);
    },
  });
  return body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).pipeThrough(events);
}
