/**
 * WWW-Authenticate (RFC 9110 §11.6.1). Commas separate both challenges and the parameters of one, so a member
 * that reads `scheme`, `scheme token68` or `scheme name=value` opens a challenge and a bare `name=value` continues it.
 */
import { byCodeUnit } from './code-unit-order.js';
import { listMembers, unquote } from './list-field.js';

export interface Challenge {
  /** Lower case. */
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const PARAMETER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[!#$%&'*+.^_`|~0-9A-Za-z-]+)$/;
const OPENING = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s+(\S.*)?)?$/s;

export function parseChallenges(lines: readonly string[]): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  for (const member of listMembers(lines)) {
    const current = challenges.at(-1);
    const parameter = PARAMETER.exec(member);
    if (parameter && current) {
      addParameter(current.parameters, parameter);
      continue;
    }
    const opening = OPENING.exec(member);
    if (!opening?.[1]) continue;
    const parameters = new Map<string, string>();
    const rest = opening[2]?.trim() ?? '';
    const first = PARAMETER.exec(rest);
    if (first) addParameter(parameters, first);
    else if (rest !== '') parameters.set('token68', rest);
    challenges.push({ scheme: opening[1].toLowerCase(), parameters });
  }
  return challenges;
}

function addParameter(parameters: Map<string, string>, match: RegExpExecArray): void {
  const [, name = '', value = ''] = match;
  if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), unquote(value));
}

/** Parameters that change with every response. */
const VOLATILE = new Set(['nonce', 'opaque', 'token68', 'stale']);

/** The comparable parts of a challenge: scheme, realm and parameters, without volatile ones. */
export function challengeText({ scheme, parameters }: Challenge): string {
  const parts = [...parameters]
    .filter(([name]) => !VOLATILE.has(name))
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([name, value]) => `${name}="${value}"`);
  return parts.length === 0 ? scheme : `${scheme} ${parts.join(', ')}`;
}
