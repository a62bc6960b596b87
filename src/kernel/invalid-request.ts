/**
 * The error for a request that does not match its schema. It names each invalid field and what is allowed there. It
 * repeats names of unknown fields but no values.
 */
import type * as z from 'zod';
import { SondeError } from '../errors.js';

type Issue = z.core.$ZodIssue;

const PROBLEMS_MAX = 10;
const PLACES: Readonly<Record<string, string>> = { json: 'body', form: 'body', param: 'path' };

type Result = { readonly target: string } & (
  | { success: true }
  | { success: false; error: { issues: readonly unknown[] } }
);

/** The validation hook of the app. */
export function refuseInvalid(result: Result): void {
  if (result.success) return;
  throw invalidRequest(PLACES[result.target] ?? result.target, result.error.issues as readonly Issue[]);
}

/** `place` is where the values are: `body`, `query`, `path` or `header`. */
export function invalidRequest(place: string, issues: readonly Issue[]): SondeError {
  const problems = issues
    .slice(0, PROBLEMS_MAX)
    .map((issue) => `${fieldOf(place, issue)} ${allowedBy(issue)}`);
  const first = issues[0];
  return new SondeError('INVALID_REQUEST', `${problems.join('; ')}.`, {
    details: {
      problems,
      ...(first === undefined ? {} : { field: fieldOf(place, first), allowed: allowedBy(first) }),
    },
  });
}

/** For a rule that the schemas cannot express. */
export function invalidField(field: string, message: string): SondeError {
  return new SondeError('INVALID_REQUEST', message, { details: { field } });
}

function fieldOf(place: string, issue: Issue): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return [place, ...issue.path.map(String), ...unknown].join('.');
}

function allowedBy(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'invalid_format':
      return `must be in the form ${issue.pattern ?? issue.format}`;
    default:
      return `is not valid: ${issue.message}`;
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' items long' : '';
}
