// Many live readers in their own process. Arguments: the server's URL, a path with its query, the credential, the number
// of readers. Reports `open` once all of them have a response, and then, for each message with a text, when every
// reader has got that text.
import { connect } from 'node:net';
import process from 'node:process';

const [url = '', path = '', authorization = '', count = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const AT_ONCE = 200;
let opened = 0;
let wanted = '';
let got = 0;

/** @returns {Promise<void>} */
function open() {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: ${authorization}\r\n\r\n`,
    );
    let isOpen = false;
    let seen = '';
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      if (!isOpen && (seen + text).includes('event: control')) {
        isOpen = true;
        opened += 1;
        resolve();
      }
      if (wanted !== '' && !seen.includes(wanted) && (seen + text).includes(wanted)) {
        got += 1;
        if (got === Number(count)) process.send?.({ got });
      }
      seen = (seen + text).slice(-2_000);
    });
    socket.on('error', () => resolve());
  });
}

for (let n = 0; n < Number(count); n += AT_ONCE)
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, Number(count) - n) }, open));
process.on('message', (text) => {
  wanted = String(text);
  got = 0;
  process.send?.('listening');
});
process.on('disconnect', () => process.exit());
process.send?.({ opened });
