/** What the static assets are called. */
export const ASSET = {
  landing: 'landing.html',
  openLanding: 'landing-open.html',
  icon: 'favicon.svg',
} as const;
