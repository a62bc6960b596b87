/** Checks responses against the OpenAPI document: status, headers, content type and body. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: Schema;
}

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, 'method' | 'path'>>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly 'x-common-headers': Readonly<Record<string, string>>;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

const CONNECTION_HEADERS = [
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
];

export class ApiDocument {
  readonly operations: readonly Operation[];
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #common: ReadonlySet<string>;

  constructor(document: unknown) {
    this.#document = document as Document;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ ...this.#document, $id: 'api' });
    this.operations = Object.entries(this.#document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        ...operation,
        parameters: operation.parameters ?? [],
        method: method.toUpperCase(),
        path,
      })),
    );
    const names = Object.keys(this.#document['x-common-headers']).map((name) => name.toLowerCase());
    this.#common = new Set([...names, ...CONNECTION_HEADERS]);
  }

  resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : this.resolve(this.#document.components.schemas[name] ?? {});
  }

  /** Returns the methods of a path, without HEAD and OPTIONS. */
  methodsOf(path: string): string[] {
    return Object.keys(this.#document.paths[path] ?? {})
      .map((method) => method.toUpperCase())
      .filter((method) => method !== 'HEAD')
      .sort();
  }

  /** Returns what the document does not cover about a response; undefined if it covers everything. */
  problem(operation: Operation, received: Received, method = operation.method): string | undefined {
    const { status, headers, body } = received;
    const key = operation.responses[status] ? String(status) : 'default';
    const documented = operation.responses[key];
    if (!documented) return `status ${status} is not documented`;
    return (
      this.#headerProblem(documented, headers, operation) ??
      (method === 'HEAD' || status === 204 || status === 304
        ? body.length > 0
          ? 'has a body'
          : undefined
        : this.#bodyProblem(operation, key, received))
    );
  }

  #headerProblem(
    { headers: documented = {} }: DocumentedResponse,
    headers: Received['headers'],
    { path }: Operation,
  ): string | undefined {
    const known = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
    const required = Object.entries(documented).filter(([, { required: needed }]) => needed);
    const missing = required.find(([name]) => headers[name.toLowerCase()] === undefined);
    if (missing) return `header ${missing[0]} is missing`;
    // The upstream's own headers are passed through.
    if (path.startsWith('/r/') && headers['stream-location'] !== undefined) return undefined;
    const unknown = Object.keys(headers).find((name) => !known.has(name) && !this.#common.has(name));
    return unknown && `header ${unknown} is not documented`;
  }

  #bodyProblem(operation: Operation, key: string, { headers, body }: Received): string | undefined {
    const content = operation.responses[key]?.content ?? {};
    const type =
      String(headers['content-type'] ?? '')
        .split(';')[0]
        ?.trim() ?? '';
    if (Object.keys(content).length === 0) return body.length > 0 ? 'has a body' : undefined;
    if (!content[type]) return content['*/*'] ? undefined : `content type ${type} is not documented`;
    if (!type.endsWith('json')) return undefined;
    const pointer = [
      'paths',
      operation.path,
      operation.method.toLowerCase(),
      'responses',
      key,
      'content',
      type,
    ]
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/');
    const validate = this.#validator(`api#/${pointer}/schema`);
    try {
      if (validate(JSON.parse(body.toString()))) return undefined;
    } catch (error) {
      return `the body is not JSON: ${String(error)}`;
    }
    return `the body does not match: ${this.#ajv.errorsText(validate.errors)}`;
  }

  #validator(ref: string): ValidateFunction {
    const known = this.#validators.get(ref) ?? this.#ajv.compile({ $ref: ref });
    this.#validators.set(ref, known);
    return known;
  }
}
