/** The command line's terminal port, on the streams of the process. */
import process from 'node:process';
import type { WriteStream } from 'node:tty';
import type { Output, Terminal } from '../../cli/ports.js';

const COLUMNS_WITHOUT_TERMINAL = 100;

function output(stream: WriteStream): Output {
  return {
    // A failed write also reaches the stream's error listener, which ends the process.
    write: (data) => new Promise((resolve) => stream.write(data, () => resolve())),
    isTTY: stream.isTTY === true,
    colourDepth: stream.isTTY ? stream.getColorDepth() : 1,
    columns: stream.columns ?? COLUMNS_WITHOUT_TERMINAL,
  };
}

export function createTerminal(): Terminal {
  return {
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    env: process.env,
    stdin: () => ({ isTTY: process.stdin.isTTY === true, chunks: process.stdin }),
  };
}
