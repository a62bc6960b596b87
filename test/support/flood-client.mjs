// A client without a credential, in its own process: a number of connections that each send a large body, wait for the
// response and start over, until the parent disconnects. Arguments: the server's URL, the number of connections, the
// number of bytes.
import { connect } from 'node:net';
import process from 'node:process';

const [url = '', connections = '0', bytes = '0'] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const body = Buffer.alloc(Number(bytes), '[');
const PATHS = ['/api/compare', '/api/session', '/api/suites', '/v1/stream/x', '/v1/proxy', '/r/x'];
let sent = 0;

function attack() {
  const socket = connect(Number(port), hostname);
  const path = PATHS[sent++ % PATHS.length];
  socket.write(`POST ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\n`);
  socket.write(`Content-Length: ${body.length}\r\n\r\n`);
  socket.write(body);
  socket.once('data', () => socket.destroy());
  // The server may close before it has read everything.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (process.connected) attack();
  });
}

for (let n = 0; n < Number(connections); n++) attack();
process.on('message', () => process.send?.({ sent }));
process.on('disconnect', () => process.exit());
