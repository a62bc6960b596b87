/**
 * A model that streams one fixed text word by word, in the format of OpenAI's chat completions. It is slow enough to
 * interrupt, and the text is always the same, so that a lost or repeated word is noticed.
 */
const TEXT = `A sonde is an instrument that is sent out to measure and to report. Balloons carry sondes up through the
clouds, and from there they send back what they find: pressure, temperature, wind. Most of them are never seen again.
What they reported is kept, and that is the point of sending them. This text is stored word by word while you read it.
Close the tab, cut the network or open it in a second window: each reader continues where it left off, and no word is lost
or shown twice. If the server itself is stopped, what was stored until then stays, and the end says what happened.`;

export const DEMO_TOKENS: readonly string[] = TEXT.split(/\s+/).map((word) => `${word} `);

const TOKEN_MS = 100;
const encoder = new TextEncoder();

export function respondAsModel(): Response {
  let sent = 0;
  let timer: ReturnType<typeof setTimeout>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = () => {
        const token = DEMO_TOKENS[sent];
        sent += 1;
        if (token === undefined) {
          controller.enqueue(encoder.encode('data: [DONE]\n\n'));
          return controller.close();
        }
        controller.enqueue(encoder.encode(eventOf(token)));
        timer = setTimeout(send, TOKEN_MS);
      };
      send();
    },
    cancel() {
      clearTimeout(timer);
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  });
}

function eventOf(content: string): string {
  const chunk = {
    object: 'chat.completion.chunk',
    model: 'demo',
    choices: [{ index: 0, delta: { content } }],
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
