/**
 * `GET /api/probe`: probes one URL and returns its envelope. A URL whose text breaks a rule is refused before
 * anything is sent; what DNS, a redirect or the target reveals is in the envelope, with status 200.
 */
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import { type Policy, refusalError } from '../../net/index.js';
import { envelopeSchema, type ISignalProvider, identifyEnvelope } from '../../probe/index.js';
import type { App, AppDeps } from '../app-env.js';
import { demandTenant, requireScope } from '../auth/require-scope.js';
import { credentialErrors } from '../views/error-responses.js';
import { jsonResponse, NO_STORE, operations } from '../views/operation.js';
import { ProbeTurns } from './probe-turns.js';

/** The provider, and the policy that checks a URL's text. */
export interface ProbeService {
  readonly provider: ISignalProvider;
  readonly policy: Pick<Policy, 'judgeUrl'>;
}

const URL_CHARS_MAX = 8192;

const Query = z.object({
  url: z.string().min(1).max(URL_CHARS_MAX).describe('The http or https URL to probe.'),
  profile: z
    .enum(['core', 'full'])
    .default('core')
    .describe('`full` adds the second header list, cookies, details of the body and further exchanges.'),
});

const route = operations('Comparisons').get('/api/probe', 'probe', {
  summary: 'Probe a URL',
  description:
    'Scope `compare:write`. Sends a GET under the address policy and follows up to 10 redirects within 10 s. Returns ' +
    'the envelope that comparisons use. A failing target is part of the envelope, not an error. A tenant may have ' +
    'as many probes in progress as its quota `probes` allows.',
  request: { query: Query },
  responses: {
    200: jsonResponse('The envelope.', envelopeSchema),
    ...credentialErrors('invalid_url', 'ssrf_blocked', 'NOT_FOUND', 'QUOTA_EXCEEDED'),
  },
});

export function addProbe(app: App, { probe, records }: AppDeps): void {
  const turns = new ProbeTurns();
  // A probe makes this server send a request, so a read scope is not enough.
  app.use(route.path, requireScope('compare:write'));
  app.openapi(route, async (c) => {
    if (!probe) throw new SondeError('NOT_FOUND', 'Probing is not available on this server.');
    const { url, profile } = c.req.valid('query');
    const verdict = probe.policy.judgeUrl(url);
    if (!verdict.ok) throw refusalError(verdict.refusal);
    const { tenant: slug } = demandTenant(c);
    const tenant = (await records?.tenants.find(slug)) ?? { slug, quotas: {} };
    const { signal } = c.req.raw;
    const envelope = await turns.run(tenant, async () => {
      // The caller may have left while the probe waited.
      if (signal.aborted) throw new SondeError('canceled', 'The caller left before the probe began.');
      return probe.provider.probe(url, { ...c.env?.runner, profile, signal });
    });
    const identified = identifyEnvelope(envelope, { comparisonId: 'test', side: 'left' });
    return c.json(identified as z.input<typeof envelopeSchema>, 200, NO_STORE);
  });
}
