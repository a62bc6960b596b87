/**
 * Generates the static assets of a deployment, by name. The build writes them, and `wrangler.jsonc` binds them. The
 * platform reads `_headers` for the headers of each file. `bound-pages.ts` uses the same names.
 */
import { type LandingOptions, landingPage } from '../../../api/pages/landing-page.js';
import { FAVICON } from '../../../mark.js';
import { VERSION } from '../../../version.js';
import { ASSET } from './asset-names.js';

export function makeAssets(): Readonly<Record<string, string>> {
  const landing = landingPage(optionsFor(true));
  const open = landingPage(optionsFor(false));
  const headers = [
    [ASSET.landing, landing.policy],
    [ASSET.openLanding, open.policy],
  ].map(([name, policy]) => `/${name}\n  Content-Security-Policy: ${policy}\n`);
  return {
    [ASSET.landing]: landing.html,
    [ASSET.openLanding]: open.html,
    [ASSET.icon]: FAVICON,
    _headers: headers.join(''),
  };
}

function optionsFor(authenticated: boolean): LandingOptions {
  return { version: VERSION, authenticated };
}
