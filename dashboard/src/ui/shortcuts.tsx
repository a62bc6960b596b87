/**
 * Keyboard shortcuts: `?` for help, `/` for the filter, `g` and a letter for pages. Disabled in fields, and can be
 * switched off.
 */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { read, write } from './theme';

const KEY = 'sonde-shortcuts';
const CHORD_MS = 1_000;

const PAGES = {
  h: ['/', 'Home'],
  c: ['/compare', 'Comparisons'],
  a: ['/audits', 'Audits'],
  s: ['/streams', 'Streams and responses'],
  y: ['/system', 'System'],
} as const;

const OTHERS: readonly (readonly [string, string])[] = [
  ['/', 'Go to the filter'],
  ['j, k', 'Next and previous finding'],
  ['a, u', 'Accept a finding, undo'],
  ['f', 'Follow a stream, or pause'],
  ['Esc', 'Close'],
  ['?', 'This help'],
];

/** Returns whether a key belongs to a field or to a browser command. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

export function shortcutsOn(): boolean {
  return read(KEY) !== 'off';
}

/** Runs handlers by key, unless shortcuts are off or the user is typing. */
export function useShortcuts(handlers: Readonly<Record<string, () => void>>): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const handler = latest.current[event.key];
      if (!handler || isTyping(event) || !shortcutsOn()) return;
      event.preventDefault();
      handler();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

export function ShortcutHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [on, setOn] = useState(shortcutsOn);
  usePageKeys();
  useShortcuts({
    '?': () => dialog.current?.showModal(),
    '/': () => document.querySelector<HTMLElement>('[data-filter]')?.focus(),
  });
  const toggle = () => {
    write(KEY, on ? 'off' : 'on');
    setOn(!on);
  };
  return (
    <>
      <button type="button" className="button quiet keys-button" onClick={() => dialog.current?.showModal()}>
        Shortcuts
      </button>
      <dialog ref={dialog} className="dialog" aria-labelledby="keys-title">
        <h2 id="keys-title">Keyboard shortcuts</h2>
        <dl className="keys">
          {Object.entries(PAGES).map(([key, [, name]]) => (
            <div key={key}>
              <dt>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>
              <dd>{name}</dd>
            </div>
          ))}
          {OTHERS.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <label className="check">
          <input type="checkbox" checked={on} onChange={toggle} /> Use single-key shortcuts
        </label>
        <form method="dialog" className="actions">
          <button type="submit" className="button">
            Close
          </button>
        </form>
      </dialog>
    </>
  );
}

function usePageKeys(): void {
  const navigate = useNavigate();
  const since = useRef(0);
  const chord = (key: keyof typeof PAGES) => () => {
    if (Date.now() - since.current < CHORD_MS) void navigate({ to: PAGES[key][0] });
    since.current = 0;
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || !shortcutsOn()) return;
      if (event.key === 'g') since.current = Date.now();
      else if (event.key in PAGES && since.current > 0) chord(event.key as keyof typeof PAGES)();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
