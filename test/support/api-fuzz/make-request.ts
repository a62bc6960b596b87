/** Seeded requests for an operation: mostly valid, often wrong in one place, sometimes hostile. */
import type { Random } from '../random.js';
import type { ApiDocument, Operation, Parameter, Schema } from './api-document.js';

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** Values from earlier responses, by the parameter they fit, and targets on loopback. */
export interface FuzzWorld {
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** An empty token means no credential. */
  readonly tokens: readonly string[];
  readonly site: string;
}

const HOSTILE_TEXTS = [
  '',
  ' ',
  'x'.repeat(101),
  'x'.repeat(3_000),
  '__proto__',
  'constructor',
  '%00',
  '../../etc/passwd',
  '<script>',
  "' OR 1=1 --",
  '\u{1f600}',
  '-1',
  '1e309',
  'null',
];
const HOSTILE_BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '{"__proto__":{"x":1}}',
  `${'['.repeat(5_000)}`,
  '\u0000',
];
const STREAM_NAMES = ['a', 'b/c', 'd e', 'json', 'f%2Fg', 'x:y', '%C3%A9', 'long/er/path'];

export class RequestMaker {
  readonly #api: ApiDocument;
  readonly #random: Random;
  readonly #world: FuzzWorld;

  constructor(api: ApiDocument, random: Random, world: FuzzWorld) {
    this.#api = api;
    this.#random = random;
    this.#world = world;
  }

  make(operation: Operation): FuzzRequest {
    const headers: Record<string, string> = {};
    const query = new URLSearchParams();
    let { path } = operation;
    for (const parameter of operation.parameters) {
      const value = this.#parameter(operation, parameter);
      if (parameter.in === 'path') path = path.replace(`{${parameter.name}}`, pathText(value ?? 'x'));
      else if (value === undefined) continue;
      else if (parameter.in === 'query') query.append(parameter.name, value);
      else headers[parameter.name] = headerText(value);
    }
    if (this.#chance(0.02)) query.append('unknown', 'x');
    const token = this.#random.pick(this.#world.tokens);
    if (token !== '') headers['Authorization'] = `Bearer ${token}`;
    if (this.#chance(0.05))
      headers['Accept'] = this.#random.pick(['text/event-stream', 'text/html', 'text/csv']);
    if (this.#chance(0.01)) headers['X-Filler'] = 'x'.repeat(20_000);
    if (this.#chance(0.01)) headers['Origin'] = 'http://elsewhere.example';
    const body = this.#body(operation, headers);
    const text = query.toString();
    return {
      method: operation.method,
      path: text === '' ? path : `${path}?${text}`,
      headers,
      ...(body && { body }),
    };
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #parameter({ path }: Operation, { name, in: place, required, schema = {} }: Parameter): string | undefined {
    if (!required && this.#chance(name === 'secret' || name === 'Idempotency-Key' ? 0.9 : 0.6))
      return undefined;
    if (this.#chance(0.04)) return this.#random.pick(HOSTILE_TEXTS);
    if (place === 'path') return this.#pathValue(path, name);
    return this.#named(name) ?? String(this.#value(schema));
  }

  #pathValue(path: string, name: string): string {
    if (name === 'path') return this.#random.pick(STREAM_NAMES);
    if (name === 'route') return this.#random.pick(['up', 'up', 'none']);
    const kind = name === 'id' ? (path.startsWith('/v1/proxy') ? 'proxied' : 'subscription') : name;
    const known = this.#world.ids.get(name === 'other' ? 'auditId' : kind) ?? [];
    return known.length > 0 && this.#chance(0.9) ? this.#random.pick(known) : crypto.randomUUID();
  }

  /** Values that the schema of a string does not describe. */
  #named(name: string): string | undefined {
    const { site } = this.#world;
    const choices: Readonly<Record<string, readonly string[]>> = {
      url: [
        `${site}/`,
        `${site}/page`,
        `${site}/slow`,
        'http://127.0.0.1:1/',
        'ftp://x/',
        'http://u:p@x/',
        'x',
      ],
      site: ['https://example.com/', `${site}/`, 'x'],
      'Upstream-URL': [
        `${site}/page`,
        `${site}/stream`,
        `${site}/missing`,
        `${site}/moved`,
        'http://10.0.0.1/',
      ],
      'Content-Type': ['text/plain', 'application/json', 'application/octet-stream', ''],
      'Idempotency-Key': ['key-1', 'key-2', 'key-3', 'bad\tkey'],
      'Last-Event-ID': ['0', '3', 'x'],
      'Stream-TTL': ['60', '0', '-1', 'x'],
      'Stream-Expires-At': ['2030-01-01T00:00:00Z', 'soon'],
      'Stream-Closed': ['true', 'false'],
      'Stream-Seq': ['1', '2', '9'],
      'Stream-Forked-From': ['/v1/stream/a', '/v1/stream/b%2Fc', '/elsewhere'],
      'Stream-Fork-Offset': [...(this.#world.ids.get('offset') ?? []), '-1'],
      'Stream-Fork-Sub-Offset': ['0', '1', 'x'],
      'Producer-Id': ['p1', 'p2'],
      'Producer-Epoch': ['0', '1', 'x'],
      'Producer-Seq': ['0', '1', '2', '7'],
      'Orphan-Policy': ['keep', 'cancel-after=1s', 'x'],
      'If-None-Match': ['"x"', '*'],
      offset: ['-1', 'now', ...(this.#world.ids.get('offset') ?? []), 'x'],
      cursor: ['1', 'x'],
      expires: ['9999999999', '1', 'x'],
      signature: ['c2ln', ''],
    };
    const found = choices[name];
    return found && this.#random.pick(found);
  }

  #body({ method, requestBody }: Operation, headers: Record<string, string>): Buffer | undefined {
    if (method === 'GET' || method === 'HEAD') {
      return this.#chance(0.01) ? Buffer.from('{"q":1}') : undefined;
    }
    if (!requestBody) return undefined;
    const json = requestBody.content['application/json'];
    if (!json)
      return this.#chance(0.2) ? undefined : Buffer.from(this.#random.pick(['one', '[1,2]', '{"a":1}', '']));
    headers['Content-Type'] = this.#chance(0.97) ? 'application/json' : 'text/plain';
    if (this.#chance(0.05)) return Buffer.from(this.#random.pick(HOSTILE_BODIES));
    const value = this.#value(json.schema);
    if (this.#chance(0.08) && typeof value === 'object' && value !== null) Object.assign(value, { more: 1 });
    return Buffer.from(JSON.stringify(value) ?? 'null');
  }

  #value(given: Schema, name = ''): unknown {
    const schema = this.#api.resolve(given);
    if (this.#chance(0.03)) return this.#random.pick<unknown>([null, 7, -1, true, [], {}, ...HOSTILE_TEXTS]);
    if (schema.enum) return this.#random.pick(schema.enum);
    if (schema.const !== undefined) return schema.const;
    if (schema.anyOf) return this.#value(this.#random.pick(schema.anyOf));
    if (schema.allOf) {
      return Object.assign({}, ...schema.allOf.map((part) => this.#value(part)));
    }
    const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
    switch (type) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return Array.from({ length: this.#random.whole(schema.minItems ?? 0, 3) }, () =>
          this.#value(schema.items ?? {}, name),
        );
      case 'integer':
      case 'number':
        return this.#random.whole(
          schema.minimum ?? 0,
          Math.min(schema.maximum ?? 9, (schema.minimum ?? 0) + 3),
        );
      case 'boolean':
        return this.#chance(0.5);
      default:
        return this.#text(name);
    }
  }

  #object(schema: Schema): Record<string, unknown> {
    const required = new Set(schema.required ?? []);
    const members = Object.entries(schema.properties ?? {}).filter(
      ([name]) => (required.has(name) && !this.#chance(0.03)) || (!required.has(name) && this.#chance(0.3)),
    );
    return Object.fromEntries(members.map(([name, member]) => [name, this.#value(member, name)]));
  }

  #text(name: string): string {
    if (/^(?:left|right)Url$/.test(name)) return this.#named('url') ?? '';
    if (name === 'paths') return this.#random.pick(['/', '/page', '/missing']);
    if (name === 'streams' || name === 'stream') return this.#random.pick(STREAM_NAMES);
    if (name === 'pattern') return this.#random.pick(['**', 'b/*', 'x']);
    if (name === 'wake_stream') return 'wakes';
    if (name === 'sitemap') return '/sitemap.xml';
    return this.#named(name) ?? this.#random.pick(['one', 'two', `${this.#world.site}/page`]);
  }
}

/** Encodes a path like a generated client, or leaves it if it is already encoded. */
function pathText(value: string): string {
  const text = /%[0-9A-F]{2}/.test(value) ? value : encodeURIComponent(value);
  return text === '' || /^\.{1,2}$/.test(text) ? 'x' : text;
}

function headerText(value: string): string {
  return value.replace(/[^\t\x20-\x7e]/g, '?');
}
