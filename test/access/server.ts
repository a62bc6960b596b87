import type { Part } from './part.js';

/** Operations of the whole server, and its pages. */
export const SERVER: Part = {
  name: 'server',
  rows: {
    getHealth: () => ({ path: '/api/health' }),
    getReady: () => ({ path: '/api/ready' }),
    getMetrics: () => ({ path: '/metrics' }),
    getSystem: () => ({ path: '/api/system' }),
    followChanges: () => ({ path: '/api/changes' }),
    getDemo: () => ({ path: '/api/demo' }),
    startDemo: () => ({ path: '/api/demo' }),
    stopDemo: () => ({ path: '/api/demo' }),
    getDashboard: () => ({ path: '/ui' }),
    getOpenApi: () => ({ path: '/openapi.json' }),
    getDocs: () => ({ path: '/docs' }),
    getLandingPage: () => ({ path: '/' }),
    getFavicon: () => ({ path: '/favicon.svg' }),
  },
  paths: ['/docs/try', '/ui/', '/ui/audits/x', '/ui/assets/none.js', '/ui/assets/', '/ui/assets/a/b'],
};
