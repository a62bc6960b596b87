import { expect, test } from 'vitest';
import { compilePathRule } from './path-rule.js';

const allows = (rule: string, request: string): boolean => {
  const [method = '', path = ''] = request.split(' ');
  return compilePathRule(rule)?.(method, new URL(`https://up.test${path}`)) === true;
};

const CHAT = 'POST /v1/chat/completions';

test.each([
  CHAT,
  'POST /v1/chat/completions?stream=true&path=/v1/files',
  'POST /v1/x/../chat/completions',
  'POST /v1/./chat/%2e%2e/chat/completions',
  'POST /v1\\chat\\completions',
])('%s is allowed', (request) => {
  expect(allows(CHAT, request)).toBe(true);
});

test.each([
  'GET /v1/chat/completions',
  'post /v1/chat/completions',
  'POST /v1/chat/completions/',
  'POST /v1/chat/completions2',
  'POST /v1/chat/completions/../../files',
  'POST /v1/chat/completions/%2e%2e/%2E%2e/files',
  'POST /v1/files?x=/v1/chat/completions',
  'POST /v1/files#/v1/chat/completions',
  'POST //v1/chat/completions',
  'POST /v1//chat/completions',
  'POST /V1/Chat/Completions',
  'POST /v1/chat%2fcompletions',
  'POST /v1/chat%2Fcompletions',
  'POST /v1/chat%252fcompletions',
  'POST /v1/%63hat/completions',
  'POST /v1/chat/completions;x=1',
  'POST /v1/chat/completions%00',
  'POST /v1/chat/completions%3Fx',
  'POST /v1/chat/completions%20',
])('%s is not', (request) => {
  expect(allows(CHAT, request)).toBe(false);
});

test.each([
  ['GET /v1/models/*', 'GET /v1/models', true],
  ['GET /v1/models/*', 'GET /v1/models/gpt', true],
  ['GET /v1/models/*', 'GET /v1/modelsx', false],
  ['GET /v1/models/*', 'GET /v1/models/..%2f..%2ffiles', false],
  ['GET /v1/models/*', 'GET /v1/models/%252e%252e/files', false],
  ['GET /v1/models/*', 'GET /v1/models/..;/files', false],
  ['* /v1/chat/*', 'DELETE /v1/chat/1', true],
  ['POST /v1beta/models/*:streamGenerateContent', 'POST /v1beta/models/gemini:streamGenerateContent', true],
  ['POST /v1beta/models/*:streamGenerateContent', 'POST /v1beta/models/gemini:countTokens', false],
  ['GET /*', 'GET /any/thing', true],
  ['GET /*', 'POST /any/thing', false],
])('%s allows %s: %s', (rule, request, expected) => {
  expect(allows(rule, request)).toBe(expected);
});

test.each([
  '',
  '/v1',
  'POST',
  'POST v1',
  'post /v1',
  'FETCH /v1',
  'POST  /v1',
  'POST /v1 ',
  'POST /v1?x',
  'POST /v1#x',
  'POST /v1\\x',
  'POST https://up.test/v1',
  'POST /a%2fb',
  `POST /${'x'.repeat(1024)}`,
])('%j is not a rule', (text) => {
  expect(compilePathRule(text)).toBeUndefined();
});
