/** A resolver that returns the addresses scripted by a case and counts lookups. */
import { SondeError } from '../../errors.js';
import type { Resolver } from '../egress.js';
import type { EgressCase } from './egress-case.js';

export interface ScriptedResolver extends Resolver {
  lookups(): number;
}

export function createScriptedResolver(script: EgressCase['resolves']): ScriptedResolver {
  const lookupsByHost = new Map<string, number>();
  let lookups = 0;
  return {
    lookups: () => lookups,
    async resolve(target) {
      lookups++;
      const turn = lookupsByHost.get(target.host) ?? 0;
      lookupsByHost.set(target.host, turn + 1);
      const answers =
        script instanceof Map ? script.get(target.host) : (script as readonly (readonly string[])[]);
      const answer = answers?.[Math.min(turn, answers.length - 1)];
      if (!answer || answer.length === 0) throw new SondeError('dns_error', `${target.host} has no address`);
      return answer;
    },
  };
}
