/** The one text of a diff: members in code-unit order, no blanks. Equal diffs have equal bytes. */
import type { EnvDiff } from './env-diff.js';

export function serializeDiff(diff: EnvDiff): string {
  return orderedJson(diff);
}

/** Members that are undefined are left out, as JSON.stringify does. */
function orderedJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    let text = '[';
    for (let at = 0; at < value.length; at++) text += (at === 0 ? '' : ',') + orderedJson(value[at]);
    return `${text}]`;
  }
  let text = '{';
  const members = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(members).sort()) {
    const member = members[key];
    if (member === undefined) continue;
    text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${orderedJson(member)}`;
  }
  return `${text}}`;
}
