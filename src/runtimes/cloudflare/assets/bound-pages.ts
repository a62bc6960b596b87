/**
 * Serves pages from the bound static assets. The Worker runs first, so a page is a response of the app like any other,
 * with its headers, limits and refusals. Assets cannot be reached in any other way.
 */
import type { StaticPages } from '../../../api/routes/landing.js';
import { SondeError } from '../../../errors.js';
import { ASSET } from './asset-names.js';

export function createBoundPages(assets: Fetcher): StaticPages {
  const read = async (name: string): Promise<Response> => {
    // The binding uses only the path.
    const response = await assets.fetch(`https://assets.invalid/${name}`);
    if (response.ok) return response;
    await response.body?.cancel();
    throw new SondeError('INTERNAL', `the asset ${name} was not deployed`);
  };
  return {
    async landing(authenticated) {
      const response = await read(authenticated ? ASSET.landing : ASSET.openLanding);
      const policy = response.headers.get('content-security-policy');
      if (policy === null)
        throw new SondeError('INTERNAL', 'the landing page was deployed without its policy');
      return { html: await response.text(), policy };
    },
    icon: async () => (await read(ASSET.icon)).text(),
  };
}
