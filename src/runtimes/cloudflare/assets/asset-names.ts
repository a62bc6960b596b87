/** The names of the static assets. */
export const ASSET = {
  landing: 'landing.html',
  openLanding: 'landing-open.html',
  icon: 'favicon.svg',
} as const;

/** The folder of the built dashboard, next to the pages. */
export const DASHBOARD_FOLDER = 'dashboard';
