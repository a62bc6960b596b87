/** What surrounds every page: navigation, connection state, theme, shortcuts, and who is logged in. */
import { useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, setToken } from '../api/client';
import { SESSION_KEY, useScope, useSession } from '../api/session';
import type { Scope } from '../api/types';
import { ConnectionProvider, useConnection } from '../live/connection';
import { Mark, State } from './mark';
import { ShortcutHelp } from './shortcuts';
import { chooseTheme, storedTheme, THEMES, type Theme } from './theme';

const PLACES: readonly {
  to: '/' | '/compare' | '/audits' | '/streams' | '/system';
  text: string;
  scope?: Scope;
  /** Pages that belong to it, although their paths start differently. */
  also?: readonly string[];
}[] = [
  { to: '/', text: 'Home' },
  { to: '/compare', text: 'Compare', scope: 'compare:read', also: ['/pairs/', '/suites/'] },
  { to: '/audits', text: 'Audits', scope: 'audit:read' },
  { to: '/streams', text: 'Streams', also: ['/stream/', '/responses/'] },
  { to: '/system', text: 'System', scope: 'operator' },
];

export function Shell() {
  return (
    <ConnectionProvider>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="bar">
        <Link to="/" className="brand" aria-label="Sonde, home">
          <Mark />
          <span>Sonde</span>
        </Link>
        <nav aria-label="Pages">
          {PLACES.map((place) => (
            <Place key={place.to} {...place} />
          ))}
          <a href="/docs">API</a>
        </nav>
        <div className="bar-end">
          <ConnectionDot />
          <ShortcutHelp />
          <Account />
        </div>
      </header>
      <OfflineBanner />
      <main id="content">
        <Outlet />
      </main>
    </ConnectionProvider>
  );
}

function Place({ to, text, scope, also = [] }: (typeof PLACES)[number]) {
  const allowed = useScope(scope ?? 'admin');
  const page = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  if (scope !== undefined && !allowed) return null;
  const isHere = also.some((prefix) => page.startsWith(prefix));
  return (
    <Link to={to} activeOptions={{ exact: to === '/' }} {...(isHere && { 'aria-current': 'page' })}>
      {text}
    </Link>
  );
}

function ConnectionDot() {
  const { feed, reached } = useConnection();
  if (!reached || feed === 'reconnecting') return <State tone="warn">Reconnecting</State>;
  if (feed === 'unshared') return <State tone="muted">Polling</State>;
  return feed === 'live' ? <State tone="pass">Live</State> : <State tone="muted">Connecting</State>;
}

function OfflineBanner() {
  const { reached } = useConnection();
  return (
    <div role="status" className="banner-place">
      {reached ? null : (
        <p className="banner">
          <strong>The server cannot be reached.</strong> What you see was loaded earlier. This page reconnects
          automatically.
        </p>
      )}
    </div>
  );
}

function Account() {
  const session = useSession();
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const choose = (next: Theme) => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <>
      <button type="button" className="button quiet menu-button" popoverTarget="account">
        {session?.tenant ?? 'Account'}
      </button>
      <div id="account" popover="auto" className="menu">
        <fieldset className="choices">
          <legend>Colours</legend>
          {THEMES.map((name) => (
            <label key={name}>
              <input type="radio" name="theme" checked={theme === name} onChange={() => choose(name)} />
              <span>{name.slice(0, 1).toUpperCase() + name.slice(1)}</span>
            </label>
          ))}
        </fieldset>
        {session ? (
          <p className="small muted">
            Tenant <span className="wire">{session.tenant ?? 'none'}</span>
            <br />
            {session.scopes.join(', ')}
          </p>
        ) : null}
        {session && session.via !== 'none' ? <LogOut /> : null}
      </div>
    </>
  );
}

function LogOut() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await api.DELETE('/api/session');
    setToken(undefined);
    queries.clear();
    queries.setQueryData(SESSION_KEY, null);
    await navigate({ to: '/login', search: { next: '/' } });
  };
  return (
    <button type="button" className="button" onClick={() => void leave()}>
      Log out
    </button>
  );
}
