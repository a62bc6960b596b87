/**
 * The pages that are bound as static assets. The Worker runs before them: each is an answer of the app like any other,
 * with its headers, limits and refusals, and an asset is reached by no other path.
 */
import type { StaticPages } from '../../../api/routes/landing.js';
import { SondeError } from '../../../errors.js';
import { ASSET } from './asset-names.js';

export function createBoundPages(assets: Fetcher): StaticPages {
  const read = async (name: string): Promise<Response> => {
    // The binding looks at the path alone.
    const answer = await assets.fetch(`https://assets.invalid/${name}`);
    if (answer.ok) return answer;
    await answer.body?.cancel();
    throw new SondeError('INTERNAL', `the asset ${name} was not deployed`);
  };
  return {
    async landing(authenticated) {
      const answer = await read(authenticated ? ASSET.landing : ASSET.openLanding);
      const policy = answer.headers.get('content-security-policy');
      if (policy === null)
        throw new SondeError('INTERNAL', 'the landing page was deployed without its policy');
      return { html: await answer.text(), policy };
    },
    icon: async () => (await read(ASSET.icon)).text(),
  };
}
