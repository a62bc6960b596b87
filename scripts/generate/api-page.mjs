// Renders the HTTP API as a page, from the OpenAPI document of the server.
import { cell } from './cli-page.mjs';

/**
 * @typedef {{ name: string, in: string, required?: boolean, description?: string, schema?: { enum?: string[] } }} Parameter
 * @typedef {{ $ref?: string, type?: string | string[], enum?: unknown[], anyOf?: Schema[], items?: Schema,
 *   description?: string, properties?: Record<string, Schema>, required?: string[] }} Schema
 * @typedef {{ tags?: string[], summary?: string, description?: string, parameters?: Parameter[],
 *   requestBody?: { content?: Record<string, { schema?: Schema }> },
 *   responses?: Record<string, { description?: string }> }} Operation
 * @typedef {{ paths: Record<string, Record<string, Operation>>, components?: { schemas?: Record<string, Schema> } }} Document
 */

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

/** @param {Operation} operation */
function parameters({ parameters = [] }) {
  const rows = parameters
    .filter(
      (parameter) => parameter.name !== undefined && (parameter.description || parameter.in !== 'header'),
    )
    .map(({ name, in: place, required, description = '', schema }) => {
      const values = schema?.enum ? ` One of ${schema.enum.join(', ')}.` : '';
      return `| \`${name}\` | ${place} | ${required ? 'yes' : ''} | ${cell(description + values).trim()} |`;
    });
  return rows.length === 0 ? [] : ['', '| parameter | in | needed | about |', '|---|---|---|---|', ...rows];
}

/** @param {Schema} schema @returns {string} */
function typeOf({ $ref, type, enum: values, anyOf, items }) {
  if ($ref) return $ref.split('/').at(-1) ?? '';
  if (values) return values.map((value) => JSON.stringify(value)).join(', ');
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  return [type ?? 'anything'].flat().join(' or ');
}

/** The fields of a JSON body. @param {Operation} operation @param {Document} document */
function body({ requestBody }, document) {
  const given = requestBody?.content?.['application/json']?.schema;
  const name = given?.$ref?.split('/').at(-1);
  const { properties = {}, required = [] } = (name ? document.components?.schemas?.[name] : given) ?? {};
  const rows = Object.entries(properties).map(([field, schema]) => {
    const needed = required.includes(field) ? 'yes' : '';
    return `| \`${field}\` | ${cell(typeOf(schema))} | ${needed} | ${cell(schema.description ?? '')} |`;
  });
  return rows.length === 0
    ? []
    : ['', '| field of the JSON body | type | needed | about |', '|---|---|---|---|', ...rows];
}

/** @param {Operation} operation */
function responses({ responses = {} }) {
  const ok = Object.entries(responses).filter(([status]) => /^[23]/.test(status));
  const failed = Object.keys(responses).filter((status) => /^[45]/.test(status));
  const lines = ok.map(([status, { description = '' }]) => `- ${status}: ${cell(description)}`);
  return ['', ...lines, ...(failed.length > 0 ? [`- errors: ${failed.join(', ')}`] : [])];
}

/** @param {Document} document */
export function apiPage(document) {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method: method.toUpperCase(), operation }] : [];
    }),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'Other'))];
  const sections = tags.flatMap((tag) => [
    `## ${tag}`,
    '',
    ...operations
      .filter(({ operation }) => (operation.tags?.[0] ?? 'Other') === tag)
      .flatMap(({ path, method, operation }) => [
        `### ${method} ${path}`,
        '',
        [operation.summary, operation.description].filter(Boolean).join('. ').replaceAll('\n', ' '),
        ...parameters(operation),
        ...body(operation, document),
        ...responses(operation),
        '',
      ]),
  ]);
  return `${[
    '# HTTP API',
    '',
    'Written by `npm run generate` from the OpenAPI document, which every server has at `/openapi.json`, and as a',
    'page with schemas and a console at `/docs`. [errors.md](errors.md) lists the codes.',
    '',
    ...sections,
  ]
    .join('\n')
    .trimEnd()}\n`;
}
