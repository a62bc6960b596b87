/** Logging in: with the link that the server prints, or with a token, which stays in this tab's memory. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { setToken } from '../api/client';
import { loadSession, SESSION_KEY } from '../api/session';
import { Mark } from '../ui/mark';
import { textOf } from '../ui/states';

export function LoginPage() {
  return (
    <main className="login" id="content">
      <Mark />
      <h1>Log in to Sonde</h1>
      <section className="panel">
        <h2>With a link</h2>
        <p>Print a fresh link on the machine that runs the server, then open it in this browser.</p>
        <pre className="block">sonde login</pre>
        <p className="small muted">
          It works once, within ten minutes. The server also prints a link when it starts, which works for an
          hour.
        </p>
      </section>
      <TokenForm />
    </main>
  );
}

function TokenForm() {
  const { next = '/' } = useSearch({ from: '/login' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [token, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const field = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFault(undefined);
    setToken(token.trim());
    try {
      const session = await loadSession();
      if (session) {
        queries.setQueryData(SESSION_KEY, session);
        await navigate({ href: next.startsWith('/') && !next.startsWith('//') ? next : '/' });
        return;
      }
      setFault(
        'The server does not accept this token. Check that all of it was copied and that it has not expired.',
      );
    } catch (error) {
      setFault(textOf(error));
    }
    setToken(undefined);
  };
  return (
    <form className="panel" onSubmit={(event) => void submit(event)}>
      <h2>With a token</h2>
      <label htmlFor={field}>Token</label>
      <input
        id={field}
        type="password"
        autoComplete="off"
        required
        value={token}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="small muted">
        It stays in this tab's memory and is gone when the tab is closed or reloaded.
      </p>
      <p role="alert" className="fault">
        {fault}
      </p>
      <button type="submit" className="button primary">
        Log in
      </button>
    </form>
  );
}
