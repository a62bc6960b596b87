/** Buttons that copy: a link, an id, a command. */
import { useState } from 'react';

export function CopyButton({ text, children }: { text: string | (() => string); children: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    const done = await copyText(typeof text === 'string' ? text : text());
    setState(done ? 'copied' : 'failed');
    setTimeout(() => setState('idle'), 1_500);
  };
  const label = { idle: children, copied: 'Copied', failed: 'Not allowed to copy' }[state];
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      <span aria-live="polite">{label}</span>
    </button>
  );
}

/** Falls back to the old command without the clipboard API, which is missing over plain HTTP on another host. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'unseen';
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

/** Quotes a string for a POSIX shell. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
