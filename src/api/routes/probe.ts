/**
 * `GET /api/probe`: one look at one URL, as its envelope. What the URL's text alone shows is refused before
 * anything is sent; what DNS, a redirect or the target shows is in the envelope, with status 200.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import { type Policy, refusalError } from '../../net/index.js';
import { envelopeSchema, type ISignalProvider, identifyEnvelope } from '../../probe/index.js';
import type { App, AppDeps } from '../app-env.js';
import { requireScope } from '../auth/require-scope.js';
import { errorResponses } from '../views/error-responses.js';

/** What the route needs: the provider, and the policy that judges a URL's text. */
export interface ProbeService {
  readonly provider: ISignalProvider;
  readonly policy: Pick<Policy, 'judgeUrl'>;
}

const URL_CHARS_MAX = 8192;

const Query = z.object({
  url: z.string().min(1).max(URL_CHARS_MAX).describe('The http or https URL to look at.'),
  profile: z
    .enum(['core', 'full'])
    .default('core')
    .describe('`full` adds the second header list, cookies, body facts and further exchanges.'),
});

const route = createRoute({
  method: 'get',
  path: '/api/probe',
  operationId: 'probe',
  tags: ['Comparisons'],
  summary: 'Look at one URL',
  description:
    'Sends one GET through the guarded door, follows up to 10 redirects by hand within 10 s, and answers with ' +
    'the envelope that comparisons are made of. A target that fails is part of the envelope, not an error.',
  security: [{ bearer: [] }, { session: [] }],
  request: { query: Query },
  responses: {
    200: { description: 'What was seen.', content: { 'application/json': { schema: envelopeSchema } } },
    ...errorResponses(
      'INVALID_REQUEST',
      'invalid_url',
      'ssrf_blocked',
      'MISSING_SECRET',
      'INVALID_SECRET',
      'FORBIDDEN',
      'NOT_FOUND',
      'RATE_LIMITED',
    ),
  },
});

export function addProbe(app: App, { probe }: AppDeps): void {
  // It makes this server send something, so reading rights are not enough.
  app.use(route.path, requireScope('compare:write'));
  app.openapi(route, async (c) => {
    if (!probe) throw new SondeError('NOT_FOUND', 'This server does not probe.');
    const { url, profile } = c.req.valid('query');
    const verdict = probe.policy.judgeUrl(url);
    if (!verdict.ok) throw refusalError(verdict.refusal);
    const envelope = await probe.provider.probe(url, { ...c.env?.runner, profile, signal: c.req.raw.signal });
    c.header('Cache-Control', 'no-store');
    const named = identifyEnvelope(envelope, { comparisonId: 'test', side: 'left' });
    return c.json(named as z.input<typeof envelopeSchema>, 200);
  });
}
