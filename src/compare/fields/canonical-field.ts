/**
 * Converts a field value to one canonical text, however it was written; headers are compared in this form. The table
 * defines how each field is parsed, and a field that is not listed is opaque text.
 */
import { challengeText, parseChallenges } from './challenges.js';
import { sortedSet } from './code-unit-order.js';
import { cspText, parseCsp } from './content-security-policy.js';
import { directivesText, parseDirectives } from './directives.js';
import { listMembers, tokenSet } from './list-field.js';
import { parseMediaType } from './media-type.js';
import { structuredText } from './structured-field.js';

type FieldForm = (lines: readonly string[]) => string;

const tokens: FieldForm = (lines) => tokenSet(lines).join(', ');
const exactSet: FieldForm = (lines) => sortedSet(listMembers(lines)).join(', ');
const ordered: FieldForm = (lines) => listMembers(lines).join(', ');
const orderedTokens: FieldForm = (lines) => listMembers(lines).join(', ').toLowerCase();
const commaDirectives: FieldForm = (lines) => directivesText(parseDirectives(lines, ','));
const parameters: FieldForm = (lines) => directivesText(parseDirectives(lines, ';'));
const csp: FieldForm = (lines) => cspText(parseCsp(lines));
const opaque: FieldForm = (lines) => lines.map((line) => line.trim()).join(', ');
const caseless: FieldForm = (lines) => opaque(lines).toLowerCase();
const dictionary: FieldForm = (lines) => structuredText(lines, 'dictionary') ?? opaque(lines);
const structuredList: FieldForm = (lines) => structuredText(lines, 'list') ?? opaque(lines);
const structuredItem: FieldForm = (lines) => structuredText(lines, 'item') ?? caseless(lines);
const challenges: FieldForm = (lines) => parseChallenges(lines).map(challengeText).join(', ');

const mediaType: FieldForm = (lines) => {
  const parsed = parseMediaType(lines[0] ?? '');
  if (!parsed) return opaque(lines);
  const { type, subtype, charset, parameters: rest } = parsed;
  const other = new Map([...rest].filter(([name]) => name !== 'charset'));
  return [`${type}/${subtype}`, ...(charset ? [`charset=${charset}`] : []), directivesText(other)]
    .filter((part) => part !== '')
    .join('; ');
};

const FORMS: Readonly<Record<string, FieldForm>> = {
  'accept-ch': tokens,
  'accept-ranges': tokens,
  'access-control-allow-credentials': opaque,
  'access-control-allow-headers': tokens,
  'access-control-allow-methods': exactSet,
  'access-control-expose-headers': tokens,
  allow: exactSet,
  'alt-svc': ordered,
  'cache-control': commaDirectives,
  'cache-status': structuredList,
  'cdn-cache-control': commaDirectives,
  'clear-site-data': exactSet,
  'cloudflare-cdn-cache-control': commaDirectives,
  'content-encoding': orderedTokens,
  'content-language': orderedTokens,
  'content-security-policy': csp,
  'content-security-policy-report-only': csp,
  'content-type': mediaType,
  'cross-origin-embedder-policy': structuredItem,
  'cross-origin-embedder-policy-report-only': structuredItem,
  'cross-origin-opener-policy': structuredItem,
  'cross-origin-opener-policy-report-only': structuredItem,
  'cross-origin-resource-policy': caseless,
  'feature-policy': csp,
  link: exactSet,
  'origin-agent-cluster': structuredItem,
  'permissions-policy': dictionary,
  pragma: tokens,
  'proxy-status': structuredList,
  'referrer-policy': orderedTokens,
  'reporting-endpoints': dictionary,
  'strict-transport-security': parameters,
  'surrogate-control': commaDirectives,
  'timing-allow-origin': exactSet,
  'transfer-encoding': orderedTokens,
  vary: tokens,
  via: ordered,
  'www-authenticate': challenges,
  'x-content-type-options': caseless,
  'x-frame-options': caseless,
  'x-permitted-cross-domain-policies': caseless,
  'x-robots-tag': tokens,
};

/** Fields whose lines may be split and joined at commas without changing the meaning. */
export const LIST_FIELDS: readonly string[] = Object.keys(FORMS)
  .filter(
    (name) => ![opaque, caseless, structuredItem, parameters, mediaType].includes(FORMS[name] ?? opaque),
  )
  .sort();

const LISTS = new Set(LIST_FIELDS);

export function isListField(name: string): boolean {
  return LISTS.has(name);
}

export function canonicalField(name: string, lines: readonly string[]): string {
  return (FORMS[name] ?? opaque)(lines);
}
