/**
 * `/docs`: the OpenAPI document for people, rendered once on the server. It contains nothing that the document
 * does not, and loads nothing from elsewhere.
 */
import { ERROR_CODES } from '../../errors.js';
import type { OpenApiDocument } from '../openapi-document.js';
import { describeSchema } from './describe-schema.js';
import { escapeHtml } from './escape-html.js';
import { type HtmlPage, htmlPage } from './html-page.js';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly secured: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Content | undefined;
  readonly responses: readonly (readonly [string, { description?: string; content?: Content }])[];
}

type Content = Readonly<Record<string, { readonly schema?: unknown }>>;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: unknown;
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

export function docsPage(document: OpenApiDocument): HtmlPage {
  const operations = listOperations(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return htmlPage({
    title: 'API · Sonde',
    description: 'Every operation of this Sonde server, its fields and its error codes.',
    version: document.info.version,
    current: 'docs',
    content: `<div class="doc"><h1>API</h1>
<p class="lead">${inlineCode(document.info.description ?? '')}</p>
<p class="small muted">For programs: <a href="openapi.json">/openapi.json</a></p></div>
<nav aria-label="Operations"><ul class="contents panel">${operations.map(contentsLine).join('')}
<li><a href="#schemas">Schemas</a></li><li><a href="#codes">Error codes</a></li></ul></nav>
${tags.map((tag) => group(tag, operations)).join('')}
${schemas(document)}
${errorCodes()}`,
  });
}

function listOperations({ paths = {} }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method];
      if (found === undefined) return [];
      return {
        method: method.toUpperCase(),
        path,
        operationId: found.operationId ?? `${method} ${path}`,
        tag: found.tags?.[0] ?? 'Other',
        summary: found.summary ?? '',
        description: found.description ?? '',
        secured: (found.security ?? []).length > 0,
        parameters: (found.parameters ?? []) as Parameter[],
        body: (found.requestBody as { content?: Content } | undefined)?.content,
        responses: Object.entries(found.responses ?? {}) as Operation['responses'],
      };
    }),
  );
}

function contentsLine({ method, path, operationId }: Operation): string {
  return `<li><a href="#${escapeHtml(operationId)}">${title(method, path)}</a></li>`;
}

function title(method: string, path: string): string {
  return `<code class="method">${method}</code><code class="path">${escapeHtml(path)}</code>`;
}

function group(tag: string, operations: readonly Operation[]): string {
  const sections = operations.filter((operation) => operation.tag === tag).map(section);
  return `<section class="group"><h2>${escapeHtml(tag)}</h2>${sections.join('')}</section>`;
}

function section(operation: Operation): string {
  const { method, path, summary, description, secured, parameters, body } = operation;
  return `<article class="operation" id="${escapeHtml(operation.operationId)}"><h3>${title(method, path)}</h3>
<p>${inlineCode(summary)}.${description === '' ? '' : ` <span class="muted">${inlineCode(description)}</span>`}</p>
${secured ? '<p class="small">Needs a bearer token or a session.</p>' : ''}
${parameters.length === 0 ? '' : `<h4>Parameters</h4>${table(['Name', 'In', 'Type', 'Meaning'], parameters.map(parameterRow))}`}
${body === undefined ? '' : `<h4>Request body</h4>${schemaBlock(body)}`}
<h4>Responses</h4>${table(['Status', 'Meaning', 'Body'], operation.responses.map(responseRow))}
</article>`;
}

function parameterRow({ name, in: place, required, description, schema }: Parameter): string[] {
  const need = required === true ? '' : ' <span class="muted">optional</span>';
  return [
    `<code>${escapeHtml(name)}</code>${need}`,
    escapeHtml(place),
    `<code>${describeSchema(schema)}</code>`,
    inlineCode(description ?? ''),
  ];
}

function responseRow([status, { description = '', content }]: Operation['responses'][number]): string[] {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  const body =
    type === undefined
      ? 'none'
      : `<code>${type === 'application/json' ? describeSchema(media?.schema) : escapeHtml(type)}</code>`;
  return [`<code>${escapeHtml(status)}</code>`, inlineCode(description), body];
}

function schemaBlock(content: Content): string {
  return Object.values(content)
    .map(
      ({ schema }) =>
        `<pre class="schema panel" tabindex="0" aria-label="Schema">${describeSchema(schema)}</pre>`,
    )
    .join('');
}

function schemas({ components }: OpenApiDocument): string {
  const blocks = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) =>
      `<div class="operation" id="schema-${escapeHtml(name)}"><h3><code>${escapeHtml(name)}</code></h3>
${schemaBlock({ json: { schema } })}</div>`,
  );
  return `<section class="group" id="schemas"><h2>Schemas</h2>${blocks.join('')}</section>`;
}

function errorCodes(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, retryable, fault }]) => [
    `<code>${escapeHtml(code)}</code>`,
    `<code>${status}</code>`,
    retryable ? 'yes' : 'no',
    { caller: 'the call', target: 'the remote side', server: 'this server' }[fault],
  ]);
  return `<section class="group" id="codes"><h2>Error codes</h2>
${table(['Code', 'Status', 'Retryable', 'Caused by'], rows)}</section>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<div class="table" tabindex="0" role="group" aria-label="${heads[0]}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Text with its `quoted` parts in monospace, as the document writes them. */
function inlineCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
