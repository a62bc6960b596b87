/**
 * The door of the command line's output: everything that is written to a terminal, a pipe or a file passes here, so no
 * command or reporter can forget to make text of a target printable.
 *
 * Text is what a command composed. Bytes are a payload, such as a stream's: they are copied as they are, except to a
 * terminal, where they are shown as printable text.
 */
import { printable } from '../printable.js';
import { showOwn } from './own-sequences.js';
import type { CliPorts, Files, Output } from './ports.js';

/** Decodes a payload in pieces; a character or a line end may be split between two of them. */
class PayloadText {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #held = '';

  push(bytes: Uint8Array): string {
    return this.#show(this.#decoder.decode(bytes, { stream: true }), /\r$/);
  }

  end(): string {
    return this.#show(this.#decoder.decode());
  }

  #show(decoded: string, open?: RegExp): string {
    const text = this.#held + decoded;
    this.#held = open?.exec(text)?.[0] ?? '';
    return printable(text.slice(0, text.length - this.#held.length));
  }
}

interface PrintableOutput extends Output {
  /** Writes what is left of a payload. */
  end(): Promise<void>;
}

function printableOutput(output: Output): PrintableOutput {
  const payload = output.isTTY ? new PayloadText() : undefined;
  return {
    isTTY: output.isTTY,
    colourDepth: output.colourDepth,
    columns: output.columns,
    write(data) {
      if (typeof data === 'string') return output.write((payload?.end() ?? '') + showOwn(data));
      return output.write(payload ? payload.push(data) : data);
    },
    async end() {
      const rest = payload?.end() ?? '';
      if (rest !== '') await output.write(rest);
    },
  };
}

function printableFiles(files: Files): Files {
  return { ...files, writeText: (path, text) => files.writeText(path, showOwn(text)) };
}

export interface PrintablePorts extends CliPorts {
  end(): Promise<void>;
}

export function printablePorts({ terminal, files, runtime }: CliPorts): PrintablePorts {
  const stdout = printableOutput(terminal.stdout);
  const stderr = printableOutput(terminal.stderr);
  return {
    terminal: { stdout, stderr, env: terminal.env, stdin: () => terminal.stdin() },
    files: printableFiles(files),
    runtime,
    async end() {
      await stdout.end();
      await stderr.end();
    },
  };
}
