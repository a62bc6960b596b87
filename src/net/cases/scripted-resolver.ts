/** A resolver that returns the addresses of a case and counts its queries. */
import { SondeError } from '../../errors.js';
import type { Resolver } from '../egress.js';
import type { EgressCase } from './egress-case.js';

export interface ScriptedResolver extends Resolver {
  lookups(): number;
}

export function createScriptedResolver(script: EgressCase['resolves']): ScriptedResolver {
  const asked = new Map<string, number>();
  let lookups = 0;
  return {
    lookups: () => lookups,
    async resolve(target) {
      lookups++;
      const turn = asked.get(target.host) ?? 0;
      asked.set(target.host, turn + 1);
      const answers =
        script instanceof Map ? script.get(target.host) : (script as readonly (readonly string[])[]);
      const response = answers?.[Math.min(turn, answers.length - 1)];
      if (!response || response.length === 0)
        throw new SondeError('dns_error', `${target.host} has no address`);
      return response;
    },
  };
}
