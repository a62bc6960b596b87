// docs/images/demo.svg, the README's picture: the real output of `sonde demo` in a terminal.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [LINE, LEFT, TOP, COLUMN, LINES_MAX] = [20, 20, 52, 8.2, 22];
const INK = '#e8ecef';
const COLOURS = /** @type {const} */ ([
  [/^✗/, '#ff8a80'],
  [/^•/, '#8fb8ee'],
  [/^(?:candidate|reference|Compared|preflight|\d+ of)/, '#9aa7b2'],
]);

/** @returns {string} */
export function demoImage() {
  const output = execFileSync(process.execPath, [join(root, 'dist', 'sonde.js'), 'demo'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const shown = [
    '$ npx sonde demo',
    ...output
      .replaceAll(/:\d{4,5}\b/g, ':…')
      .trimEnd()
      .split('\n')
      .slice(0, LINES_MAX),
  ];
  const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const rows = shown.map((text, n) => {
    const colour = COLOURS.find(([pattern]) => pattern.test(text))?.[1] ?? INK;
    return `<text x="${LEFT}" y="${TOP + n * LINE}" fill="${colour}" xml:space="preserve">${escaped(text)}</text>`;
  });
  const width = Math.ceil(Math.max(...shown.map((text) => text.length)) * COLUMN) + 2 * LEFT;
  const height = TOP + shown.length * LINE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Output of sonde demo">
<rect width="100%" height="100%" rx="8" fill="#0f161d"/>
<g fill="#2a3641"><circle cx="20" cy="20" r="6"/><circle cx="40" cy="20" r="6"/><circle cx="60" cy="20" r="6"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.5">
${rows.join('\n')}
</g>
</svg>
`;
}
