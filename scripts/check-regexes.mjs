// Analyses every regular expression of the product for super-linear backtracking, because most of them run on untrusted input.
// A reported expression must be rewritten, or listed in ALLOWED with the limit on its input.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { analyse } from 'scslre';
import ts from 'typescript';
import { ALLOWED } from './allowed-regexes.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @returns {string[]} sources that are part of the product */
function sources() {
  return ['src', 'packages/client/src']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * @typedef {{ file: string, line: number, text: string, pattern?: string, flags?: string }} Found
 * @param {string} file
 * @returns {Found[]} literals, and RegExp calls whose pattern is built at run time
 */
export function regexesIn(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  /** @type {Found[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const text = node.getText();
    if (ts.isRegularExpressionLiteral(node)) {
      const end = text.lastIndexOf('/');
      found.push({
        file: relative(root, file),
        line,
        text,
        pattern: text.slice(1, end),
        flags: text.slice(end + 1),
      });
    } else if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      found.push({ file: relative(root, file), line, text: `new RegExp in ${ownerOf(node)}` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** @param {ts.Node} node @returns {string} the constant or function that the expression is part of */
function ownerOf(node) {
  for (let at = node; !ts.isSourceFile(at); at = at.parent) {
    if ((ts.isVariableDeclaration(at) || ts.isFunctionDeclaration(at)) && at.name) return at.name.getText();
  }
  return 'the module';
}

/** @param {string} pattern @param {string} flags @returns {string | undefined} why it can take more than linear time */
export function faultOf(pattern, flags) {
  const { reports } = analyse(
    { source: pattern, flags: flags.replace('v', 'u') },
    { reportTypes: { Move: true } },
  );
  const [first] = reports;
  return first && `${first.exponential ? 'exponential' : 'polynomial'} (${first.type})`;
}

function main() {
  const unused = new Set(ALLOWED.keys());
  const faults = sources()
    .flatMap(regexesIn)
    .flatMap(({ file, line, text, pattern, flags }) => {
      const fault = pattern === undefined ? 'is put together at run time' : faultOf(pattern, flags ?? '');
      const key = `${file} ${text}`;
      if (fault === undefined) return [];
      if (unused.delete(key) || ALLOWED.has(key)) return [];
      return [`${file}:${line}: ${text} ${fault}`];
    });
  const stale = [...unused].map((key) => `scripts/allowed-regexes.mjs: ${key} is not needed`);
  for (const fault of [...faults, ...stale]) console.error(fault);
  if (faults.length + stale.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
