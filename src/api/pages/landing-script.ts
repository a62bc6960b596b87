/**
 * The landing page's script: shows the result of `/api/ready`, and redeems a login code found in the fragment.
 * The fragment never reaches a server or a log, and is removed from the address bar before the code is sent.
 */
export const LANDING_SCRIPT = `(() => {
  const byId = (id) => document.getElementById(id);
  const state = byId('state'), verdict = byId('verdict'), detail = byId('detail');
  const checks = byId('checks'), checked = byId('checked'), again = byId('again');
  const SHAPES = {
    pass: '<circle cx="8" cy="8" r="7"/>',
    warn: '<path d="M8 1 15.5 15H.5Z"/>',
    critical: '<path d="M5 1h6l4 4v6l-4 4H5l-4-4V5Z"/>',
    info: '<rect x="1.5" y="1.5" width="13" height="13" rx="2"/>',
  };
  const shape = (kind) => '<svg class="shape is-' + kind + '" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">' + SHAPES[kind] + '</svg>';
  const setVerdict = (place, kind, text) => {
    place.innerHTML = shape(kind) + '<span></span>';
    place.lastChild.textContent = text;
  };
  const show = ({ kind, title, text, passed = [], failed = [], retry }) => {
    setVerdict(verdict, kind, title);
    detail.textContent = text;
    checks.replaceChildren(...[...failed.map((name) => [name, 'failed', 'critical']), ...passed.map((name) => [name, 'ok', 'pass'])].map(([name, word, tone]) => {
      const item = document.createElement('li');
      item.textContent = name + ' ' + word;
      item.className = 'is-' + tone;
      return item;
    }));
    checks.hidden = checks.children.length === 0;
    const now = new Date();
    checked.dateTime = now.toISOString();
    checked.title = now.toISOString();
    checked.textContent = now.toLocaleTimeString();
    byId('when').hidden = false;
    byId('retry').hidden = !retry;
  };
  const ask = async () => {
    state.classList.add('asking');
    try {
      const response = await fetch('api/ready', { cache: 'no-store', signal: AbortSignal.timeout(10000) });
      const body = await response.json();
      if (response.ok) show({ kind: 'pass', title: 'Ready', text: 'This server accepts requests.', passed: body.passed });
      else if (body.error.code === 'SERVER_STOPPING') show({ kind: 'warn', title: 'Stopping', text: body.error.message, retry: true });
      else show({ kind: 'critical', title: 'Not ready', text: body.error.message, passed: body.error.passed, failed: body.error.failed, retry: true });
    } catch {
      show({ kind: 'critical', title: 'No response', text: 'The server cannot be reached from this page. It may have stopped; start it again, then check again.', retry: true });
    } finally {
      state.classList.remove('asking');
    }
  };
  again.addEventListener('click', ask);
  setInterval(() => { if (!document.hidden) ask(); }, 15000);
  ask();

  const login = byId('login');
  const showLogin = (kind, title, text) => {
    setVerdict(byId('login-verdict'), kind, title);
    byId('login-detail').textContent = text;
    login.hidden = false;
  };
  const spend = async (code) => {
    showLogin('info', 'Logging in', 'The code from the link is being exchanged for a session.');
    try {
      const response = await fetch('api/session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ code }),
      });
      const body = await response.json();
      if (response.ok) {
        const until = new Date(body.expiresAt);
        showLogin('pass', 'Logged in', 'This browser acts as tenant ' + body.tenant + ' until ' + until.toLocaleString() + '.');
        location.replace('ui');
      } else if (body.error.code === 'INVALID_LOGIN_CODE') {
        showLogin('warn', 'This link no longer works', 'A login link works once and for an hour. Run sonde login on the server and open the link it prints.');
      } else showLogin('critical', 'Not logged in', body.error.message);
    } catch {
      showLogin('critical', 'Not logged in', 'The server did not respond. The code may still be valid: open the link again.');
    }
  };
  const useFragment = () => {
    const code = new URLSearchParams(location.hash.slice(1)).get('code');
    if (code === null) return;
    history.replaceState(null, '', location.pathname + location.search);
    spend(code);
  };
  addEventListener('hashchange', useFragment);
  useFragment();
})();`;
