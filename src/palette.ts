/** The product's colours as CSS custom properties, for HTML pages. */
export const LIGHT =
  '--bg:#fbfaf7;--panel:#ffffff;--ink:#16202b;--muted:#56626e;--line:#dedbd3;--accent:#0b6e75;' +
  '--critical:#b3261e;--warn:#8a5a00;--info:#2f5f9e;--pass:#1d6b3a;color-scheme:light';
export const DARK =
  '--bg:#0f161d;--panel:#161f28;--ink:#e8ecef;--muted:#9aa7b2;--line:#2a3641;--accent:#5cc8cf;' +
  '--critical:#ff8a80;--warn:#e8b45a;--info:#8fb8ee;--pass:#77cf97;color-scheme:dark';
