/**
 * The static assets of a deployment, by name: written by the build, bound by `wrangler.jsonc`. The platform reads
 * `_headers` and gives each file its own; the names are shared with `bound-pages.ts`.
 */
import { type LandingOptions, landingPage } from '../../../api/pages/landing-page.js';
import { FAVICON } from '../../../api/pages/mark.js';
import { VERSION } from '../../../version.js';
import { ASSET } from './asset-names.js';

export function makeAssets(): Readonly<Record<string, string>> {
  const landing = landingPage(facts(true));
  const open = landingPage(facts(false));
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

function facts(authenticated: boolean): LandingOptions {
  return { version: VERSION, authenticated };
}
