import type { Credential, Part, Row, World } from './part.js';

const upstream = ({ site }: World, method = 'GET') => ({
  'upstream-url': `${site}/upstream`,
  'upstream-method': method,
});

/** The id of a recorded response, and the query of its signed URL. */
async function newResponse(world: World): Promise<{ path: string; query: string }> {
  const { headers } = await world.ask('POST', '/v1/proxy', { headers: upstream(world) });
  const { pathname, search } = new URL(headers.location ?? '', world.site);
  return { path: pathname, query: search.slice(1) };
}

async function signedUrls(world: World) {
  const { path, query } = await newResponse(world);
  const shared = await world.ask('POST', `${path}?${query}&action=share`);
  const forReading = new URL(shared.headers.location ?? '', world.site).search.slice(1);
  const signature = /signature=([^&]*)/.exec(query)?.[1] ?? '';
  const proofs: Record<string, Credential> = {
    'its signed URL': { query },
    'its URL for reading': { query: forReading },
    'a forged signature': { query: query.replace(signature, 'A'.repeat(signature.length)) },
    'a later expiry': { query: query.replace(/expires=\d+/, 'expires=99999999999') },
    'an expired URL': { query: query.replace(/expires=\d+/, 'expires=1') },
    'a signed URL without its expiry': { query: query.replace(/expires=\d+&?/, '') },
    'the URL of another response': { query: (await newResponse(world)).query },
  };
  return { path, proofs };
}

export const PROXY: Part = {
  name: 'proxy',
  rows: {
    createProxied: (world) => ({ path: '/v1/proxy', headers: upstream(world, 'POST'), text: 'asked' }),
    abortProxiedByKey: ({ unique }) => ({
      path: '/v1/proxy?action=abort',
      headers: { 'idempotency-key': unique() },
    }),
    readProxied: signedUrls,
    headProxied: signedUrls,
    abortProxied: async (world) => {
      const { path, proofs } = await signedUrls(world);
      return { path: `${path}?action=abort`, proofs };
    },
    shareProxied: async (world) => {
      const { path, proofs } = await signedUrls(world);
      return { path: `${path}?action=share`, proofs };
    },
    deleteProxied: signedUrls,
  },
};

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];

const inline = (path: string, carry?: (token: string) => Credential): Row => {
  return () => ({ path, text: 'asked', ...(carry && { carry }) });
};
const asKey = (name: string) => (token: string) => ({ headers: { [name]: token } });

export const INLINE: Part = {
  name: 'inline',
  rows: Object.fromEntries(
    METHODS.flatMap((method) => [
      [`${method}InlineRoot`, inline('/r/keyed')],
      [`${method}Inline`, inline('/r/keyed/v1/models')],
    ]),
  ),
  further: {
    "whose upstream takes the caller's credential": {
      of: 'postInline',
      row: inline('/r/open/v1/models', (token) => ({
        headers: { 'sonde-authorization': `Bearer ${token}` },
      })),
    },
    'with the token as an API key': {
      of: 'postInline',
      row: inline('/r/keyed/v1/models', asKey('x-api-key')),
    },
    'outside the paths of the route': { of: 'postInline', row: inline('/r/narrow/v1/files') },
    'through an unknown route': { of: 'postInline', row: inline('/r/none/v1/models') },
  },
  paths: ['/r', '/r/', '/r/none', '/r/keyed/', '/r/KEYED/x', '/r//x'],
};
