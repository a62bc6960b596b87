/** Every page and its path. Pages are loaded when they are first opened; only the shell is loaded at once. */
import { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from './api/client';
import { loadSession, SESSION_KEY } from './api/session';
import { readSearch } from './search';
import { Shell } from './ui/shell';
import { Empty, Failed, Loading } from './ui/states';

const RETRIES = 2;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refused request would be refused again; a lost one may succeed the next time.
      retry: (failures, error) => !(error instanceof ApiError && error.status < 500) && failures < RETRIES,
      // On loopback, queries work without a network; the browser's offline guess would pause them.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

const root = createRootRoute({ component: Outlet });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: readSearch(['next']),
  component: lazyRouteComponent(() => import('./pages/login'), 'LoginPage'),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  async beforeLoad({ location }) {
    const session = await queries.fetchQuery({
      queryKey: SESSION_KEY,
      queryFn: loadSession,
      staleTime: 60_000,
    });
    if (!session) throw redirect({ to: '/login', search: { next: location.href } });
  },
});

const under = () => shell;

const home = createRoute({
  getParentRoute: under,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home/home'), 'HomePage'),
});
const compare = createRoute({
  getParentRoute: under,
  path: '/compare',
  validateSearch: readSearch(['q']),
  component: lazyRouteComponent(() => import('./pages/compare/pair-list'), 'PairListPage'),
});
const newComparison = createRoute({
  getParentRoute: under,
  path: '/compare/new',
  validateSearch: readSearch(['left', 'right', 'from', 'suite']),
  component: lazyRouteComponent(() => import('./pages/compare/new-comparison'), 'NewComparisonPage'),
});
const comparison = createRoute({
  getParentRoute: under,
  path: '/compare/$id',
  validateSearch: readSearch(['finding', 'sev', 'q', 'noise', 'accepted', 'effects', 'tab']),
  component: lazyRouteComponent(() => import('./pages/compare/comparison'), 'ComparisonPage'),
});
const pair = createRoute({
  getParentRoute: under,
  path: '/pairs/$key',
  component: lazyRouteComponent(() => import('./pages/compare/pair'), 'PairPage'),
});
const suite = createRoute({
  getParentRoute: under,
  path: '/suites/$id',
  component: lazyRouteComponent(() => import('./pages/compare/suite'), 'SuitePage'),
});
const audits = createRoute({
  getParentRoute: under,
  path: '/audits',
  validateSearch: readSearch(['status', 'q']),
  component: lazyRouteComponent(() => import('./pages/audits/audit-list'), 'AuditListPage'),
});
const newAudit = createRoute({
  getParentRoute: under,
  path: '/audits/new',
  validateSearch: readSearch(['url', 'from']),
  component: lazyRouteComponent(() => import('./pages/audits/new-audit'), 'NewAuditPage'),
});
const audit = createRoute({
  getParentRoute: under,
  path: '/audits/$id',
  validateSearch: readSearch(['tab', 'rule', 'q', 'category']),
  component: lazyRouteComponent(() => import('./pages/audits/audit'), 'AuditPage'),
});
const streams = createRoute({
  getParentRoute: under,
  path: '/streams',
  validateSearch: readSearch(['q', 'kind', 'state', 'outcome', 'status']),
  component: lazyRouteComponent(() => import('./pages/streams/stream-list'), 'StreamListPage'),
});
const stream = createRoute({
  getParentRoute: under,
  path: '/stream/$',
  validateSearch: readSearch(['view', 'offset', 'q']),
  component: lazyRouteComponent(() => import('./pages/streams/stream'), 'StreamPage'),
});
const sendRequest = createRoute({
  getParentRoute: under,
  path: '/responses/new',
  validateSearch: readSearch(['route', 'path', 'body']),
  component: lazyRouteComponent(() => import('./pages/streams/send-request'), 'SendRequestPage'),
});
const response = createRoute({
  getParentRoute: under,
  path: '/responses/$id',
  validateSearch: readSearch(['view', 'offset', 'q']),
  component: lazyRouteComponent(() => import('./pages/streams/response'), 'ResponsePage'),
});
const system = createRoute({
  getParentRoute: under,
  path: '/system',
  component: lazyRouteComponent(() => import('./pages/system/system'), 'SystemPage'),
});

const routeTree = root.addChildren([
  login,
  shell.addChildren([
    ...[home, compare, newComparison, comparison, pair, suite],
    ...[audits, newAudit, audit, streams, stream, sendRequest, response, system],
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/ui',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: () => <Loading what="the page" />,
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} what="this page" retry={reset} />,
  defaultNotFoundComponent: () => (
    <Empty title="There is no such page" action={<a href="/ui">Go to the home page</a>} />
  ),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
