/** Parses server-sent events from bytes: takes chunks as they arrive and keeps what is incomplete. */
export interface SseEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

export class SseParser {
  #rest = '';
  #data: string[] = [];
  #event = '';
  #id = '';

  push(text: string): SseEvent[] {
    const events: SseEvent[] = [];
    const lines = `${this.#rest}${text}`.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') this.#dispatch(events);
      else this.#field(line);
    }
    return events;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id') this.#id = value;
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data.length > 0) {
      events.push({ event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id });
    }
    this.#data = [];
    this.#event = '';
  }
}
