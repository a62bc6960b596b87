// Lists the mutants of a source file: small changes of its behaviour, each of which some test should detect. Types,
// texts for people and log lines are left alone.
import ts from 'typescript';
import { sqlChanges } from './sql-changes.mjs';

/**
 * @typedef {object} Change
 * @property {number} start where the replaced text starts
 * @property {number} end
 * @property {string} text the replacement
 * @property {ts.Node} shown what is printed of the source
 *
 * @typedef {object} Mutant
 * @property {string} file relative to the root
 * @property {number} line
 * @property {string} change as it is printed: `a < b → a <= b`
 * @property {number} start
 * @property {number} end
 * @property {string} text
 */

const K = ts.SyntaxKind;

/** @type {ReadonlyMap<ts.SyntaxKind, string>} */
const OTHER_OPERATOR = new Map([
  [K.LessThanToken, '<='],
  [K.LessThanEqualsToken, '<'],
  [K.GreaterThanToken, '>='],
  [K.GreaterThanEqualsToken, '>'],
  [K.EqualsEqualsEqualsToken, '!=='],
  [K.ExclamationEqualsEqualsToken, '==='],
  [K.PlusToken, '-'],
  [K.MinusToken, '+'],
  [K.AsteriskToken, '/'],
  [K.SlashToken, '*'],
  [K.PercentToken, '*'],
  [K.PlusEqualsToken, '-='],
  [K.MinusEqualsToken, '+='],
]);

/** Operators for which either side alone is a mutant. */
const ALTERNATIVES = new Set([K.BarBarToken, K.AmpersandAmpersandToken, K.QuestionQuestionToken]);

/** @type {ReadonlyMap<string, string>} */
const OTHER_METHOD = new Map([
  ['max', 'min'],
  ['min', 'max'],
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['ceil', 'floor'],
  ['floor', 'ceil'],
]);

/** Method calls that are dropped: `a.trim()` becomes `a`. */
const DROPPED_METHODS = new Set(['trim', 'toLowerCase', 'toUpperCase', 'filter', 'slice', 'sort', 'reverse']);

const SMALL_NUMBER_MAX = 100;

/**
 * @param {string} file relative to the root
 * @param {string} text
 * @returns {Mutant[]}
 */
export function listMutants(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {Mutant[]} */
  const mutants = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (isOutOfScope(node)) return;
    for (const change of changesOf(node)) mutants.push(describe(source, change));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return mutants;
}

/** @param {ts.Node} node @returns {boolean} */
function isOutOfScope(node) {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isCallExpression(node) && /\blog\??\.(debug|info|warn|error)$/.test(node.expression.getText()))
    return true;
  return ts.isTemplateExpression(node) && isProse(node.getText()) && sqlChanges(node.getText()).length === 0;
}

/** @param {string} text @returns {boolean} whether it has several words in a row */
function isProse(text) {
  return /[a-z,.:] [a-z]/.test(text.replace(/\$\{[^}]*\}/g, '')) && !/^`\s*[A-Z]{4,} /.test(text);
}

/** @param {ts.Node} node @returns {Change[]} */
function changesOf(node) {
  if (ts.isBinaryExpression(node)) return ofBinary(node);
  if (ts.isIfStatement(node)) return ofCondition(node.expression, ['true', 'false']);
  if (ts.isConditionalExpression(node)) return ofCondition(node.condition, ['true', 'false']);
  // An endless loop would only prove the time limit.
  if (ts.isWhileStatement(node)) return ofCondition(node.expression, ['false']);
  if (ts.isForStatement(node) && node.condition) return ofCondition(node.condition, ['false']);
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) {
    return isCondition(node) ? [] : [replace(node, node.operand.getText())];
  }
  if (ts.isStatement(node)) return ofStatement(node);
  if (ts.isCallExpression(node)) return ofCall(node);
  if (ts.isArrayLiteralExpression(node)) return ofArray(node);
  return ofLiteral(node);
}

/** @param {ts.Node} node @returns {Change[]} */
function ofLiteral(node) {
  if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return [];
  if (isEmptyValue(node) && isFallback(node)) return [];
  if (ts.isNumericLiteral(node)) return [replace(node, otherNumber(node))];
  if (node.kind === K.TrueKeyword) return [replace(node, 'false')];
  if (node.kind === K.FalseKeyword) return [replace(node, 'true')];
  if (ts.isRegularExpressionLiteral(node)) return ofRegex(node);
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return [];
  return ts.isTaggedTemplateExpression(node.parent) ? [] : ofSql(node);
}

/** @param {ts.BinaryExpression} node @returns {Change[]} */
function ofBinary(node) {
  const { kind } = node.operatorToken;
  if (ALTERNATIVES.has(kind)) {
    // `...(a && { a })`: the option is always passed, or never.
    if (ts.isParenthesizedExpression(node.parent) && ts.isSpreadAssignment(node.parent.parent)) {
      return [replace(node, '{}')];
    }
    // The compiler requires a value where the program has already made sure that there is one.
    if (kind === K.QuestionQuestionToken && isEmptyValue(node.right)) return [];
    return [replace(node, node.left.getText()), replace(node, node.right.getText())];
  }
  const other = OTHER_OPERATOR.get(kind);
  if (other === undefined || joinsText(node)) return [];
  const isEquality = kind === K.EqualsEqualsEqualsToken || kind === K.ExclamationEqualsEqualsToken;
  // The whole condition is replaced by true and by false, which covers this.
  if (isEquality && isCondition(node)) return [];
  const { operatorToken } = node;
  return [{ start: operatorToken.getStart(), end: operatorToken.end, text: other, shown: node }];
}

/** @param {ts.Node} node @returns {boolean} whether it is an empty value: 0, '', [], {} or undefined */
function isEmptyValue(node) {
  return /^(?:0|''|\[\]|\{\}|undefined|null|Number\.NaN|-1)$/.test(node.getText());
}

/** @param {ts.Node} node @returns {boolean} whether it is the fallback for a missing value */
function isFallback(node) {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  return (
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === K.QuestionQuestionToken &&
    parent.right === node
  );
}

/** @param {ts.BinaryExpression} node @returns {boolean} whether a `+` joins strings */
function joinsText({ left, right }) {
  return [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
}

/** @param {ts.Node} node @returns {boolean} */
function isCondition({ parent, pos }) {
  if (ts.isIfStatement(parent)) return parent.expression.pos === pos;
  return ts.isConditionalExpression(parent) && parent.condition.pos === pos;
}

/** @param {ts.Expression} node @param {readonly string[]} values @returns {Change[]} */
function ofCondition(node, values) {
  return values.map((value) => replace(node, value));
}

/** @param {ts.Statement} node @returns {Change[]} for statements that free, notify or stop something */
function ofStatement(node) {
  if (ts.isContinueStatement(node) || ts.isThrowStatement(node)) return [replace(node, ';')];
  if (ts.isBreakStatement(node) && !ts.isCaseOrDefaultClause(node.parent)) return [replace(node, ';')];
  if (ts.isReturnStatement(node) && !node.expression) return [replace(node, ';')];
  if (!ts.isExpressionStatement(node)) return [];
  const { expression } = node;
  if (ts.isStringLiteral(expression)) return [];
  if (ts.isCallExpression(expression) && expression.expression.kind === K.SuperKeyword) return [];
  // A counter is mutated through its operator; without the statement its loop would only be endless.
  if (ts.isPostfixUnaryExpression(expression) || ts.isPrefixUnaryExpression(expression)) return [];
  return isOutOfScope(expression) ? [] : [replace(node, ';')];
}

/** @param {ts.CallExpression} node @returns {Change[]} */
function ofCall(node) {
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee) || callee.questionDotToken) return [];
  const other = OTHER_METHOD.get(callee.name.text);
  if (other !== undefined) {
    return [{ start: callee.name.getStart(), end: callee.name.end, text: other, shown: node }];
  }
  return DROPPED_METHODS.has(callee.name.text) ? [replace(node, callee.expression.getText())] : [];
}

/** @param {ts.ArrayLiteralExpression} node @returns {Change[]} one per row, if it is a module-level table */
function ofArray(node) {
  const { elements, parent } = node;
  if (elements.length < 2 || ts.isArrayLiteralExpression(parent) || ts.findAncestor(node, ts.isFunctionLike))
    return [];
  return elements.flatMap((element, index) => {
    if (ts.isSpreadElement(element)) return [];
    const before = elements[index - 1];
    const [start, end] = before
      ? [before.end, element.end]
      : [element.getFullStart(), elements[index + 1]?.getFullStart() ?? element.end];
    return [{ start, end, text: '', shown: element }];
  });
}

/** @param {ts.RegularExpressionLiteral} node @returns {Change[]} */
function ofRegex(node) {
  const text = node.getText();
  const end = text.lastIndexOf('/');
  const [pattern, flags] = [text.slice(1, end), text.slice(end + 1)];
  const others = [];
  if (pattern.startsWith('^')) others.push(`/${pattern.slice(1)}/${flags}`);
  if (/(?<!\\)\$$/.test(pattern)) others.push(`/${pattern.slice(0, -1)}/${flags}`);
  if (flags.includes('i')) others.push(`/${pattern}/${flags.replace('i', '')}`);
  return others.map((other) => replace(node, other));
}

/** @param {ts.Node} node @returns {Change[]} */
function ofSql(node) {
  const at = node.getStart();
  return sqlChanges(node.getText()).map(({ start, end, text }) => ({
    start: at + start,
    end: at + end,
    text,
    shown: node,
  }));
}

/** @param {ts.NumericLiteral} node @returns {string} */
function otherNumber(node) {
  const value = Number(node.text);
  if (!Number.isInteger(value)) return String(value * 2);
  return String(value < SMALL_NUMBER_MAX ? value + 1 : value * 2);
}

/** @param {ts.Node} node @param {string} text @returns {Change} */
function replace(node, text) {
  return { start: node.getStart(), end: node.end, text, shown: node };
}

/** @param {ts.SourceFile} source @param {Change} change @returns {Mutant} */
function describe(source, { start, end, text, shown }) {
  const [from, to] = [shown.getStart(), shown.end];
  const whole = source.text;
  const after = oneLine(
    start < from || end > to ? text : whole.slice(from, start) + text + whole.slice(end, to),
  );
  return {
    file: source.fileName,
    line: source.getLineAndCharacterOfPosition(Math.max(start, from)).line + 1,
    change: `${oneLine(whole.slice(from, to))} → ${after === '' || after === ';' ? 'nothing' : after}`,
    start,
    end,
    text,
  };
}

/** @param {string} text @returns {string} */
function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}
