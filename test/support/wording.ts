/**
 * Collects every text that a user can read, one line each with its source: `docs/WORDING.txt`. Literals come from the
 * syntax tree, so a new message cannot be forgotten; text that only programs read (SQL, styles, scripts) is omitted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** In order: a file belongs to the first section whose pattern matches its path. */
const SECTIONS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Settings', /^src\/config\//],
  ['Command line', /^src\/cli\//],
  ['Findings of comparisons', /^src\/(compare|explain)\//],
  ['Audit rules', /^src\/audits\/rules\//],
  ['Audits and reports', /^src\/audits\//],
  ['API', /^src\/api\/(?!pages)/],
  ['Pages', /^(src\/api\/pages|dashboard)\//],
  ['Everything else', /^/],
];

/** Properties that people read even if the value is a single word. */
const PROSE_PROPERTIES =
  /^(title|passTitle|summary|description|jsonResponse|createdResponse|about|form|unset|fix|why|recommendation|heading|label|help)$/;

/** Markup, shell scripts and lines of machine-readable reports. */
const MACHINE_READ =
  /^(<\?xml|<testsuites|<testcase|\{open\}>|(tests|name|classname|message)="|::|complete -c|COMPREPLY|<svg|<meta|<script)/;
const SQL =
  / = \?| ORDER BY | END$|^\s*(select|insert|update|delete|create|alter|drop|with|pragma|begin|vacuum|attach|on conflict)\b/i;
const CODE = /[{}];|=>|;\s*\n|^\s*(const|let|function|var) |^[.#:@]?[\w-]+\s*\{|^(script|style|default)-src /;
/** Lists of words and keys that the program compares against; `keyFor` and `_PURPOSE` name derived keys. */
const WORD_LISTS = /\/(aria-data|sensitive-names|harmless-values)\.ts$/;
const KEY_NAMES = /^keys?For$|_PURPOSE$|^(flatMap|split|words|rolesBy|Cache-Control|className)$/;
const LEFT_OUT = /\.test\.ts$|\.d\.ts$|\/sql\/|(^|\/)[\w-]*style\.ts$|\/migrations\//;

export function wordingFile(): string {
  const files = ['src', 'packages', 'dashboard'].flatMap(sourceFiles);
  const lines = new Map<string, string[]>(SECTIONS.map(([name]) => [name, []]));
  for (const file of files) {
    const section = SECTIONS.find(([, pattern]) => pattern.test(file))?.[0] ?? '';
    for (const { kind, text } of proseOf(file))
      lines.get(section)?.push(`${file.replace(/^src\//, '')} ${kind}: ${text}`);
  }
  return [
    'All user-visible text, one line each with its source. Written by `npm run wording`.',
    ...[...lines].flatMap(([name, texts]) =>
      texts.length === 0 ? [] : ['', `== ${name} (${texts.length})`, ...texts],
    ),
    '',
  ].join('\n');
}

function sourceFiles(folder: string): string[] {
  let entries: ReturnType<typeof readEntries>;
  try {
    entries = readEntries(folder);
  } catch {
    return [];
  }
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !LEFT_OUT.test(path) && !WORD_LISTS.test(path) && !path.includes('node_modules'))
    .sort();
}

const readEntries = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });

interface Prose {
  readonly kind: string;
  readonly text: string;
}

function proseOf(file: string): readonly Prose[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Prose[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxAttribute(node) && node.name.getText() === 'className') return;
    const text = textOf(node);
    if (text === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    const kind = kindOf(node);
    const shown = plainText(text);
    if (isProse(shown, kind)) found.push({ kind, text: shown });
    if (ts.isTemplateExpression(node)) for (const span of node.templateSpans) visit(span.expression);
    if (ts.isBinaryExpression(node)) visitParts(node, visit);
  };
  visit(source);
  return found;
}

/** The literals of `'a' + b + 'c'` are one text; only the parts between them are visited further. */
function visitParts(node: ts.Expression, visit: (node: ts.Node) => void): void {
  if (ts.isBinaryExpression(node)) {
    visitParts(node.left, visit);
    visitParts(node.right, visit);
  } else if (ts.isTemplateExpression(node)) {
    for (const span of node.templateSpans) visit(span.expression);
  } else if (!ts.isStringLiteralLike(node)) visit(node);
}

/** Returns the text of a literal, with `{expression}` for each inserted value. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isJsxText(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map(({ expression, literal }) => placeholder(expression) + literal.text).join('')
    );
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const left = textOf(node.left);
    const right = textOf(node.right);
    if (left === undefined && right === undefined) return undefined;
    return (left ?? placeholder(node.left)) + (right ?? placeholder(node.right));
  }
  return undefined;
}

function placeholder(expression: ts.Expression): string {
  const text = expression.getText();
  return /^[\w.?]{1,40}$/.test(text) ? `{${text}}` : '{…}';
}

/** Returns where the text goes: the property it fills, or the call and error code it is passed with. */
function kindOf(node: ts.Node): string {
  for (let at = node.parent; at && !ts.isStatement(at); at = at.parent) {
    if (ts.isPropertyAssignment(at)) return at.name.getText().replaceAll("'", '');
    if (ts.isNewExpression(at) || ts.isCallExpression(at)) return calleeOf(at);
    if (ts.isVariableDeclaration(at)) return at.name.getText();
  }
  return '-';
}

function calleeOf(call: ts.NewExpression | ts.CallExpression): string {
  const name = call.expression.getText().replace(/\s+/g, '');
  const short = name.split('.').at(-1)?.replace(/\W.*$/, '') || 'call';
  const code = call.arguments?.find(
    (one) => ts.isStringLiteral(one) && /^[A-Za-z]+(_[A-Za-z0-9]+)*$/.test(one.text),
  );
  return code && ts.isStringLiteral(code) ? `${short} ${code.text}` : short;
}

/** Removes tags and their attributes from markup, and joins it into one line. */
function plainText(text: string): string {
  const isMarkup =
    /<\/(?:a|b|code|dd|details|div|footer|h[1-6]|header|li|main|p|section|span|table|t[dhr]|ul)>/.test(text);
  const bare = isMarkup ? text.replaceAll(/<[^>]*>/g, ' ') : text;
  return bare.replace(/\s+/g, ' ').trim();
}

function isProse(text: string, kind: string): boolean {
  if (KEY_NAMES.test(kind)) return false;
  if (SQL.test(text) || CODE.test(text) || MACHINE_READ.test(text)) return false;
  const words = text.replaceAll(/\{[^}]*\}/g, ' ').match(/[A-Za-z][a-z']+/g)?.length ?? 0;
  if (PROSE_PROPERTIES.test(kind)) return words > 0;
  return words > 1 && /[A-Za-z{}.,:"'`)] +[A-Za-z{"'`(]/.test(text);
}
