import { type Attack, createHead, EVIL } from './framing-attacks.js';

/**
 * Header values that hide header lines and whole requests, using everything that some parser might accept as the end of
 * a line.
 */
const inject = ['\r\n', '\n', '\r', '\r\n ', '\n\t', '%0d%0a', '%0a', '\x00', '\x0b', '\x85', '\\r\\n'];
export const HEADER_INJECTIONS: readonly Attack[] = [
  ...[
    'Upstream-Authorization',
    'Upstream-Method',
    'X-Custom',
    'Content-Type',
    'Idempotency-Key',
    'Orphan-Policy',
  ].flatMap((name) =>
    inject.slice(1).flatMap((eol): Attack[] => {
      const line = `${name}: value${eol}X-Injected: 1`;
      return [
        [
          `${name} with ${JSON.stringify(eol)}`,
          (place) => [createHead(place, { lines: [`${line}${eol}${eol}${EVIL}`, 'Content-Length: 0'] })],
        ],
        [
          `a line in ${name} with ${JSON.stringify(eol)}`,
          (place) => [createHead(place, { lines: [line, 'Content-Length: 0'] })],
        ],
      ];
    }),
  ),
  ...inject.map(
    (eol): Attack => [
      `Upstream-URL with ${JSON.stringify(eol)}`,
      (place) => [
        createHead(place, { lines: ['Content-Length: 0'] }).replace(
          '/asked',
          `/asked-${place.tag}${eol} HTTP/1.1${eol}Host: evil.test${eol}${eol}GET /smuggled`,
        ),
      ],
    ],
  ),
  ...['X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-For', 'Forwarded', 'Host'].map(
    (name): Attack => [
      `${name} that names another`,
      (place) => [
        createHead(place, {
          lines: [`${name}: evil.test\r\nX-Injected: 1`.replace('\r\n', ','), 'Content-Length: 0'],
        }),
      ],
    ],
  ),
];
