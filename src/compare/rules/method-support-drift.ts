/** HEAD and OPTIONS are handled differently, or Allow lists different methods. */
import type { Exchange } from '../../probe/index.js';
import { sortedSet } from '../fields/code-unit-order.js';
import { listMembers } from '../fields/list-field.js';
import { bothValues, type Difference, NAME, type Rule, weakerSubset } from '../rule.js';
import type { SampleView } from '../sample-view.js';

const METHODS = [
  { name: 'head', section: 'exchanges.head' },
  { name: 'options', section: 'exchanges.options' },
] as const;

export const methodSupportDrift: Rule = {
  code: 'METHOD_SUPPORT_DRIFT',
  version: 2,
  title: 'Supported methods differ',
  about:
    'HEAD or OPTIONS return a different status class, or the methods in Allow differ. Warning; info if the candidate supports more.',
  recommendation: 'Compare which methods the web server, the gateway and the application let through.',
  inputs: ['status'],
  claims: ['allow'],
  compare(left, right) {
    const differences: Difference[] = [];
    for (const { name, section } of METHODS) {
      if (!left.covers(section) || !right.covers(section)) continue;
      const a = responseOf(left.envelope.exchanges?.[name], left);
      const b = responseOf(right.envelope.exchanges?.[name], right);
      if (a && b && a.class !== b.class) differences.push(statusDifference(name, a.status, b.status));
    }
    const methods = [allowOf(left), allowOf(right)] as const;
    if (methods[0] && methods[1] && methods[0].join() !== methods[1].join()) {
      differences.push({
        section: 'exchanges',
        key: 'allow',
        left: methods[0],
        right: methods[1],
        severity: 'warn',
        direction: weakerSubset(methods[0], methods[1]),
        message: bothValues('Allow', methods[0].join(', '), methods[1].join(', ')),
      });
    }
    return differences;
  },
};

function statusDifference(name: string, left: number, right: number): Difference {
  return {
    section: 'exchanges',
    key: name,
    left,
    right,
    severity: 'warn',
    direction:
      right >= 400 && left < 400 ? 'right_weaker' : left >= 400 && right < 400 ? 'left_weaker' : 'changed',
    message: `${name.toUpperCase()} returns ${left} on ${NAME.left} and ${right} on ${NAME.right}`,
  };
}

/** Relative to the side's own GET: if GET already differs, the status rule reports it. */
function responseOf(
  exchange: Exchange | undefined,
  view: SampleView,
): { status: number; class: string } | undefined {
  if (exchange?.status === undefined) return undefined;
  const get = Math.floor((view.response?.status ?? 0) / 100);
  const own = Math.floor(exchange.status / 100);
  return { status: exchange.status, class: own === get ? 'as GET' : `${own}xx` };
}

function allowOf(view: SampleView): readonly string[] | undefined {
  const lines = view.lines('allow') ?? view.envelope.exchanges?.options?.headers?.['allow'];
  return lines && sortedSet(listMembers(lines).map((method) => method.toUpperCase()));
}
