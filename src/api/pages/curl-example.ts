/** Shows an operation as a curl command with only its required parameters. */
import { exampleOf, type Schemas } from './example-of.js';
import type { Operation, Parameter } from './list-operations.js';

export function curlExample(operation: Operation, schemas: Schemas): string {
  const { method, path, secured, parameters, body } = operation;
  const needed = parameters.filter(({ required, in: place }) => required === true || place === 'path');
  const valueFor = ({ name, schema }: Parameter) => String(exampleOf(schema, schemas, { name }));
  const at = (place: string) => needed.filter((parameter) => parameter.in === place);
  const filled = at('path').reduce(
    (text, parameter) => text.replace(`{${parameter.name}}`, valueFor(parameter)),
    path,
  );
  const query = new URLSearchParams(at('query').map((parameter) => [parameter.name, valueFor(parameter)]));
  const url = `$SONDE${filled}${query.size === 0 ? '' : `?${query}`}`;
  const lines = [
    `curl${flagOf(method)} "${url}"`,
    ...(secured ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...at('header').map((parameter) => `-H '${parameter.name}: ${valueFor(parameter)}'`),
    ...bodyLines(body, schemas),
  ];
  return lines.join(' \\\n  ');
}

function flagOf(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? ' --head' : ` -X ${method}`;
}

function bodyLines(body: Operation['body'], schemas: Schemas): string[] {
  const [type, media] = Object.entries(body ?? {})[0] ?? [];
  if (type === undefined) return [];
  if (type !== 'application/json') return ["-H 'Content-Type: text/plain'", "--data 'some bytes'"];
  const example = JSON.stringify(exampleOf(media?.schema, schemas));
  return ["-H 'Content-Type: application/json'", `--data '${example.replaceAll("'", "'\\''")}'`];
}
