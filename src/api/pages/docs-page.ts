/**
 * `/docs`: the OpenAPI document for people, rendered once on the server. It adds only examples and loads nothing from
 * elsewhere. Operations are collapsed and grouped; errors that most of them share are listed once.
 */
import { ERROR_CODES, type ErrorCode } from '../../errors.js';
import { escapeHtml } from '../../escape-html.js';
import type { OpenApiDocument } from '../openapi-document.js';
import { curlExample } from './curl-example.js';
import { describeSchema } from './describe-schema.js';
import { DOCS_SCRIPT } from './docs-script.js';
import type { Schemas } from './example-of.js';
import { type HtmlPage, htmlPage } from './html-page.js';
import {
  type Content,
  listOperations,
  type Operation,
  type Parameter,
  sharedErrors,
} from './list-operations.js';

interface Reference {
  readonly operations: readonly Operation[];
  readonly shared: ReadonlySet<ErrorCode>;
  readonly schemas: Schemas;
}

export function docsPage(document: OpenApiDocument): HtmlPage {
  const operations = listOperations(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const shared = sharedErrors(operations);
  const reference: Reference = { operations, shared, schemas: document.components?.schemas ?? {} };
  return htmlPage({
    title: 'API · Sonde',
    description: 'Every operation of this Sonde server, its fields and its error codes.',
    version: document.info.version,
    current: 'docs',
    script: DOCS_SCRIPT,
    content: `<div class="doc"><h1>API</h1>
<p class="lead">${inlineCode(document.info.description ?? '')}</p>
<p class="small muted"><a href="docs/try">Try requests in the browser</a> · For programs: <a href="openapi.json">/openapi.json</a></p>
<p class="small muted">Examples use two variables: <code>SONDE=http://127.0.0.1:4747</code> and
<code>TOKEN=$(sonde token --scope admin)</code>.</p></div>
<div id="search" class="search" hidden><label for="filter">Find an operation, a field or an error code</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false"><p id="filter-count" class="small muted" role="status"></p></div>
<nav aria-label="Groups"><ul class="contents panel">${tags.map((tag) => groupLink(tag, operations)).join('')}
<li><a href="#shared-errors">Errors of every operation</a></li><li><a href="#codes">Error codes</a></li>
<li><a href="#schemas">Schemas</a></li></ul></nav>
${tags.map((tag) => group(tag, reference)).join('')}
${sharedErrorSection(shared)}
${errorCodes()}
${schemaSection(reference.schemas)}`,
  });
}

const anchorOf = (tag: string): string => `group-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

function groupLink(tag: string, operations: readonly Operation[]): string {
  const count = operations.filter((operation) => operation.tag === tag).length;
  return `<li><a href="#${anchorOf(tag)}">${escapeHtml(tag)}</a> <span class="muted">${count}</span></li>`;
}

function title(method: string, path: string): string {
  return `<code class="method">${method}</code><code class="path">${escapeHtml(path)}</code>`;
}

function group(tag: string, reference: Reference): string {
  const sections = reference.operations
    .filter((operation) => operation.tag === tag)
    .map((operation) => section(operation, reference));
  return `<section class="group" id="${anchorOf(tag)}"><h2>${escapeHtml(tag)}</h2>${sections.join('')}</section>`;
}

function section(operation: Operation, { shared, schemas }: Reference): string {
  const { method, path, summary, description, secured, parameters, body } = operation;
  const example = escapeHtml(curlExample(operation, schemas));
  return `<details class="operation" id="${escapeHtml(operation.operationId)}"><summary>${title(method, path)}
<span class="summary">${inlineCode(summary)}</span></summary>
${description === '' ? '' : `<p>${inlineCode(description)}</p>`}
${secured ? '<p class="small">Needs a bearer token or a session.</p>' : ''}
<h3>Example</h3><pre class="schema panel" tabindex="0" aria-label="Example">${example}</pre>
${parameters.length === 0 ? '' : `<h3>Parameters</h3>${table(['Name', 'In', 'Type', 'Meaning'], parameters.map(parameterRow))}`}
${body === undefined ? '' : `<h3>Request body</h3>${schemaBlock(body)}`}
<h3>Responses</h3>${table(['Status', 'Meaning', 'Body'], operation.responses.map(responseRow))}
${ownErrors(operation, shared)}
</details>`;
}

function ownErrors({ errors }: Operation, shared: ReadonlySet<ErrorCode>): string {
  const own = errors.filter((code) => !shared.has(code));
  const general = '<a href="#shared-errors">those of every operation</a>';
  if (own.length === 0) return `<p class="small">Errors: ${general}.</p>`;
  const codes = own.map((code) => `<code>${ERROR_CODES[code].status} ${escapeHtml(code)}</code>`).join(', ');
  return `<p class="small">Errors: ${codes}, and ${general}.</p>`;
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

function schemaSection(schemas: Schemas): string {
  const blocks = Object.entries(schemas).map(
    ([name, schema]) =>
      `<details class="operation" id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>
${schemaBlock({ json: { schema } })}</details>`,
  );
  return `<section class="group" id="schemas"><h2>Schemas</h2>${blocks.join('')}</section>`;
}

const CAUSES = { caller: 'the request', target: 'the target', server: 'this server' } as const;

function codeRow(code: ErrorCode): string[] {
  const { status, retryable, fault } = ERROR_CODES[code];
  return [
    `<code>${escapeHtml(code)}</code>`,
    `<code>${status}</code>`,
    retryable ? 'yes' : 'no',
    CAUSES[fault],
  ];
}

const CODE_HEADS = ['Code', 'Status', 'Retryable', 'Caused by'] as const;

function sharedErrorSection(shared: ReadonlySet<ErrorCode>): string {
  return `<section class="group" id="shared-errors"><h2>Errors of every operation</h2>
${table(CODE_HEADS, [...shared].map(codeRow))}</section>`;
}

function errorCodes(): string {
  const rows = (Object.keys(ERROR_CODES) as ErrorCode[]).map(codeRow);
  return `<section class="group" id="codes"><h2>Error codes</h2><details class="operation"><summary>All ${rows.length} codes</summary>
${table(CODE_HEADS, rows)}</details></section>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<div class="table" tabindex="0" role="group" aria-label="${heads[0]}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Escapes text and renders its `quoted` parts as code. */
function inlineCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}
