/**
 * Malformed framing and header injection, byte for byte. Each case makes at most one request to the upstream, under its
 * own tag, and hides a second one, to /smuggled, where a server that parses it wrongly would find it.
 */
export interface Place {
  readonly secret: string;
  /** The origin of the upstream. */
  readonly origin: string;
  /** Distinguishes the requests of the cases. */
  readonly tag: string;
}

export const EVIL = 'GET /smuggled HTTP/1.1\r\nHost: evil.test\r\n\r\n';
/** A whole create inside a body: if it were parsed as a request, the upstream would get /smuggled. */
const evilCreate = ({ secret, origin }: Place) =>
  `POST /v1/proxy HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nUpstream-URL: ${origin}/smuggled\r\nUpstream-Method: GET\r\nContent-Length: 0\r\n\r\n`;

interface HeadForm {
  readonly target?: string;
  readonly lines: readonly string[];
  readonly eol?: string;
  readonly version?: string;
}

export function createHead(
  { secret, origin, tag }: Place,
  { target = '/v1/proxy', lines, eol = '\r\n', version = 'HTTP/1.1' }: HeadForm,
): string {
  const own = [
    'Host: 127.0.0.1',
    `Authorization: Bearer ${secret}`,
    `Upstream-URL: ${origin}/asked-${tag}`,
    'Upstream-Method: POST',
  ];
  return [`POST ${target} ${version}`, ...own, ...lines, '', ''].join(eol);
}

export const inlineHead = ({ secret, tag }: Place, lines: readonly string[]) =>
  [
    `POST /r/up/asked-${tag} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${secret}`,
    ...lines,
    '',
    '',
  ].join('\r\n');

export type Attack = readonly [name: string, parts: (place: Place) => readonly string[]];

const TE_FORMS = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:\x0bchunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: chunked, chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: chunked;x=y',
  'Transfer-Encoding:',
  'Transfer-Encoding: CHUNKED',
  'Transfer-Encoding: chunKed',
  'Transfer-Encoding: chu nked',
  'Transfer-Encoding: chunked\x00',
  'X: y\nTransfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'Transfer-Encoding\x00: chunked',
  'transfer-encoding: chunked',
  'Transfer_Encoding: chunked',
  ' Transfer-Encoding: chunked',
  'Transfer-Encoding:\r\n chunked',
];
const CLTE: Attack[] = TE_FORMS.flatMap((te): Attack[] => {
  const name = JSON.stringify(te);
  return [
    [
      `CL.TE ${name}`,
      (place) => [createHead(place, { lines: ['Content-Length: 6', te] }), '0\r\n\r\nG', EVIL],
    ],
    [
      `TE.CL ${name}`,
      (place) => [
        createHead(place, { lines: [te, 'Content-Length: 4'] }),
        `${EVIL.length.toString(16)}\r\n${EVIL}\r\n0\r\n\r\n`,
      ],
    ],
    [
      `CL.TE with a whole create behind it ${name}`,
      (place) => [
        createHead(place, { lines: ['Content-Length: 5', te] }),
        '0\r\n\r\n',
        evilCreate(place).replace('/v1/proxy', '/v1/prox'),
      ],
    ],
  ];
});

const TETE: Attack[] = [
  ['chunked', 'identity'],
  ['identity', 'chunked'],
  ['chunked', 'x'],
  ['x', 'chunked'],
  ['chunked', 'chunked'],
  ['chunked', 'cow'],
  ['gzip', 'chunked'],
].map(([first, second]) => [
  `TE.TE ${first} and ${second}`,
  (place) => [
    createHead(place, { lines: [`Transfer-Encoding: ${first}`, `Transfer-encoding: ${second}`] }),
    `0\r\n\r\n`,
    EVIL.replace('GET', 'XGET'),
  ],
]);

const LENGTHS = [
  '4, 4',
  '4,5',
  '+4',
  '-4',
  ' 4 4',
  '0x4',
  '4.0',
  '4e0',
  '٤',
  '',
  '4;',
  '"4"',
  '99999999999999999999',
  '1 2',
  'four',
  '4\x00',
  '\x0b4',
  '00000000000000000000000000000004 5',
  '0x0',
  '4 ,',
];
const CL: Attack[] = [
  ...LENGTHS.map(
    (length): Attack => [
      `Content-Length: ${JSON.stringify(length)}`,
      (place) => [
        createHead(place, { lines: [`Content-Length: ${length}`] }),
        'body',
        EVIL.replace('GET', 'XGET'),
      ],
    ],
  ),
  ...[
    ['4', '5'],
    ['0', '4'],
    ['4', '0'],
    ['4', '4'],
    ['4', '+4'],
    ['', '4'],
  ].map(
    ([a, b]): Attack => [
      `Content-Length twice: ${a} and ${b}`,
      (place) => [
        createHead(place, { lines: [`Content-Length: ${a}`, `Content-Length: ${b}`] }),
        'body',
        EVIL.replace('GET', 'XGET'),
      ],
    ],
  ),
];

const CHUNKS = [
  '5;ext="\r\n\r\n"\r\nhello',
  'g\r\nhello',
  '-5\r\nhello',
  '+5\r\nhello',
  '0x5\r\nhello',
  ' 5\r\nhello',
  '5 \r\nhello',
  '5\nhello\r\n',
  '5\r\nhelloXX',
  '5\r\nhell\r\n',
  '5\r\nhello!\r\n',
  'ffffffffffffffff\r\nhello',
  'fffffffffffffffff\r\nhello',
  '5;a=b\nX: y\r\nhello',
  '5\r\r\nhello',
  '\r\nhello',
  '5;;;\r\nhello',
  `5;${'x'.repeat(20_000)}\r\nhello`,
  '٥\r\nhello',
  '5\x00\r\nhello',
  '00000000000000000000000000000000005\r\nhello',
];
const CHUNKED: Attack[] = [
  ...CHUNKS.map(
    (chunk): Attack => [
      `chunk ${JSON.stringify(chunk.slice(0, 30))}`,
      (place) => [
        createHead(place, { lines: ['Transfer-Encoding: chunked'] }),
        chunk,
        '\r\n0\r\n\r\n',
        EVIL.replace('GET', 'XGET'),
      ],
    ],
  ),
  ...[
    'Content-Length: 9',
    'Transfer-Encoding: chunked',
    'Host: evil.test',
    'Upstream-URL: http://evil.test/',
    'X\r\n Y',
    'no colon',
    ': empty',
    'A: b\nC: d',
    'A\x00: b',
  ].map(
    (trailer): Attack => [
      `trailer ${JSON.stringify(trailer)}`,
      (place) => [
        createHead(place, { lines: ['Transfer-Encoding: chunked'] }),
        `5\r\nhello\r\n0\r\n${trailer}\r\n\r\n`,
      ],
    ],
  ),
];

/** A request whose trailers are a whole create. */
export const TRAILING_CREATE = (place: Place): readonly string[] => [
  createHead(place, { lines: ['Transfer-Encoding: chunked'] }),
  `5\r\nhello\r\n0\r\n${evilCreate(place)}`,
];

const LINES: Attack[] = [
  ['bare LF for every line', (place) => [createHead(place, { lines: ['Content-Length: 0'], eol: '\n' })]],
  ['bare CR for every line', (place) => [createHead(place, { lines: ['Content-Length: 0'], eol: '\r' })]],
  ['CR CR LF', (place) => [createHead(place, { lines: ['Content-Length: 0'], eol: '\r\r\n' })]],
  ['no version', (place) => [createHead(place, { lines: ['Content-Length: 0'], version: '' })]],
  ...[
    'HTTP/0.9',
    'HTTP/1.2',
    'HTTP/2.0',
    'HTTP/9.9',
    'HTTP/1.1 x',
    'http/1.1',
    'HTTP/1.1\x00',
    'HTTPS/1.1',
  ].map(
    (version): Attack => [
      `version ${JSON.stringify(version)}`,
      (place) => [createHead(place, { lines: ['Content-Length: 4'], version }), 'body', EVIL],
    ],
  ),
  ...[
    'X: a\r\n b',
    'X: a\r\n\tb',
    ' X: a',
    '\tX: a',
    'X : a',
    'X\t: a',
    'X',
    ':',
    ': a',
    'X: a\x00b',
    'X: a\rb',
    'X: a\nb',
    'X\x7f: a',
    'X Y: a',
    '(X): a',
    'X: \x7f',
    'Ünï: a',
  ].map(
    (line): Attack => [
      `line ${JSON.stringify(line)}`,
      (place) => [
        createHead(place, { lines: [line, 'Content-Length: 4'] }),
        'body',
        EVIL.replace('GET', 'XGET'),
      ],
    ],
  ),
];

const TARGETS: Attack[] = [
  'http://evil.test/v1/proxy',
  'http://127.0.0.1:1/smuggled',
  'https://127.0.0.1/v1/proxy',
  '//evil.test/v1/proxy',
  '*',
  'evil.test:443',
  '/v1/proxy\x00',
  '/v1/proxy#x',
  '/v1/proxy /x',
  '/v1/proxy\t',
  '\\v1\\proxy',
  '/v1/../v1/proxy',
  '/v1/%70roxy',
  'v1/proxy',
].map((target) => [
  `target ${JSON.stringify(target)}`,
  (place) => [createHead(place, { target, lines: ['Content-Length: 0'] })],
]);

const INLINE: Attack[] = [
  ...TE_FORMS.slice(0, 12).map(
    (te): Attack => [
      `inline CL.TE ${JSON.stringify(te)}`,
      (place) => [inlineHead(place, ['Content-Length: 6', te]), '0\r\n\r\nG', EVIL],
    ],
  ),
  ['inline with two Hosts', (place) => [inlineHead(place, ['Host: evil.test', 'Content-Length: 0'])]],
  [
    'inline with Expect',
    (place) => [
      inlineHead(place, ['Expect: 100-continue', 'Content-Length: 4']),
      'body',
      EVIL.replace('GET', 'XGET'),
    ],
  ],
  [
    'inline with an odd Expect',
    (place) => [inlineHead(place, ['Expect: 200-maybe', 'Content-Length: 4']), 'body'],
  ],
  [
    'inline with Upgrade',
    (place) => [inlineHead(place, ['Connection: Upgrade', 'Upgrade: websocket', 'Content-Length: 0']), EVIL],
  ],
  [
    'inline with h2c',
    (place) => [
      inlineHead(place, [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
        'Content-Length: 0',
      ]),
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    ],
  ],
  ['CONNECT', (place) => [`CONNECT ${new URL(place.origin).host} HTTP/1.1\r\nHost: x\r\n\r\n`, EVIL]],
  ['TRACE', () => ['TRACE /r/up/smuggled HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n']],
  ['the preface of HTTP/2', () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
  ['a method with a blank', () => ['PO ST /r/up/smuggled HTTP/1.1\r\nHost: x\r\n\r\n']],
  ['nothing but line ends', () => ['\r\n'.repeat(1_000), EVIL]],
];

/** All cases except the injected headers. */
export const FRAMED_WRONGLY: readonly Attack[] = [
  ...CLTE,
  ...TETE,
  ...CL,
  ...CHUNKED,
  ...LINES,
  ...TARGETS,
  ...INLINE,
];
