/**
 * `GET /api/probe`: one look at one URL, as its envelope. What the URL's text alone shows is refused before
 * anything is sent; what DNS, a redirect or the target shows is in the envelope, with status 200.
 */
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { SondeError } from '../../errors.js';
import { type Policy, refusalError } from '../../net/index.js';
import { COVERAGE_SECTIONS, type ISignalProvider, identifyEnvelope } from '../../probe/index.js';
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

const headerLines = z.record(z.string(), z.array(z.string()));

const Envelope = z
  .looseObject({
    schemaVersion: z.literal(1),
    comparisonId: z.string(),
    probeId: z.string(),
    side: z.enum(['left', 'right']),
    requestedUrl: z.string(),
    capturedAt: z.iso.datetime(),
    result: z
      .looseObject({
        ok: z.boolean().describe('True below status 400.'),
        response: z
          .looseObject({
            status: z.int(),
            finalUrl: z.string(),
            headers: z.object({
              core: z.record(z.string(), z.string()),
              accessControl: z.record(z.string(), z.string()).optional(),
              extended: headerLines.optional(),
              otherNames: z.array(z.string()).optional(),
            }),
          })
          .optional(),
        error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
        redirects: z.array(z.object({ fromUrl: z.string(), toUrl: z.string(), status: z.int() })).optional(),
        durationMs: z.number().optional(),
      })
      .describe('Exactly one of `response` and `error` is there.'),
    coverage: z
      .looseObject({ observed: z.array(z.enum(COVERAGE_SECTIONS)) })
      .describe('What was looked at: absence of anything else means nothing.')
      .optional(),
  })
  .openapi('SignalEnvelope');

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
    200: { description: 'What was seen.', content: { 'application/json': { schema: Envelope } } },
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
    const named: unknown = identifyEnvelope(envelope, { comparisonId: 'test', side: 'left' });
    // The document's schema is a looser one: it names what callers should rely on.
    return c.json(named as z.infer<typeof Envelope>, 200);
  });
}
