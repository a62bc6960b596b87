/** Describes a JSON Schema as a readable type such as `{ code: string, tags?: string[] }`, one field per line. */
import { escapeHtml } from '../../escape-html.js';
import type { JsonSchema } from './json-schema.js';

const DEPTH_MAX = 6;
const VALUES_MAX = 12;

/** Returns escaped markup; references link to `#schema-…`. */
export function describeSchema(schema: unknown, depth = 0): string {
  const shape = (schema ?? {}) as JsonSchema;
  if (shape.$ref !== undefined) {
    const name = escapeHtml(shape.$ref.split('/').at(-1) ?? '');
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (depth > DEPTH_MAX) return '…';
  if (shape.const !== undefined) return literal(shape.const);
  if (shape.enum !== undefined) return describeEnum(shape.enum);
  const several = shape.anyOf ?? shape.oneOf;
  if (several !== undefined) return several.map((each) => describeSchema(each, depth + 1)).join(' | ');
  if (shape.allOf !== undefined)
    return shape.allOf.map((each) => describeSchema(each, depth + 1)).join(' &amp; ');
  if (shape.items !== undefined) return `${describeSchema(shape.items, depth + 1)}[]`;
  if (shape.properties !== undefined) return describeObject(shape, depth);
  return escapeHtml([shape.type ?? 'any'].flat().join(' | '));
}

function describeEnum(values: readonly unknown[]): string {
  if (values.length > VALUES_MAX) return `string, one of ${values.length}`;
  return values.map(literal).join(' | ');
}

function literal(value: unknown): string {
  return escapeHtml(JSON.stringify(value));
}

function describeObject({ properties = {}, required = [] }: JsonSchema, depth: number): string {
  const indent = '  '.repeat(depth);
  const fields = Object.entries(properties).map(([name, field]) => {
    const mark = required.includes(name) ? '' : '?';
    const note = (field as JsonSchema).description;
    const comment = note === undefined ? '' : `  <span class="muted">${escapeHtml(note)}</span>`;
    return `${indent}  ${escapeHtml(name)}${mark}: ${describeSchema(field, depth + 1)}${comment}\n`;
  });
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
}
