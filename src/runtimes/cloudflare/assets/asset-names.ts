/** What the static assets are called. */
export const ASSET = {
  landing: 'landing.html',
  openLanding: 'landing-open.html',
  icon: 'favicon.svg',
} as const;

/** Where the build puts the dashboard, beside the pages. */
export const DASHBOARD_FOLDER = 'dashboard';
