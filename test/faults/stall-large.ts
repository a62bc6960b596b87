/**
 * Surfaces whose work is a product: lines of a record, ignore rules and keys, findings and places, readers and appends.
 * Each is at its documented maximum. A surface is prepared once and then measured.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { largeReport, plantReport } from './large-report.js';
import type { StallServer } from './stall-server.js';

const CROWD = fileURLToPath(new URL('../support/reader-crowd.mjs', import.meta.url));
const RECORD_BYTES = 10_000_000;
const READERS = 5_000;
const PROBES = 1_000;
const RULES = 100;
const KEYS = 5_000;
const KEY = 'a'.repeat(300);

/** What the target serves. */
export const LARGE_PAGES: Readonly<Record<string, () => string>> = {
  '/keys/left': () => keys('left'),
  '/keys/right': () => keys('right'),
};

function keys(side: string): string {
  return JSON.stringify(
    Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`${KEY}${n}`, `${side} ${n}`])),
  );
}

const IGNORE = Array.from({ length: RULES }, (_, n) => `JSON_*:*${'a'.repeat(240)}b${n}`);

export interface LargeSurface {
  readonly name: string;
  /** Returns what is measured. */
  prepare(): Promise<() => Promise<unknown>>;
  /** Ends what was prepared. */
  end?(): void;
}

export function largeSurfaces(server: StallServer, origin: string): readonly LargeSurface[] {
  return [...streamSurfaces(server), ...reportSurfaces(server, origin), ...compareSurfaces(server, origin)];
}

const RECORDS: readonly (readonly [name: string, type: string, body: string])[] = [
  ['10 million line ends', 'text/plain', '\n'.repeat(RECORD_BYTES)],
  ['5 million lines of one letter', 'text/plain', 'x\n'.repeat(RECORD_BYTES / 2)],
  ['10 MB of letters', 'text/plain', 'x'.repeat(RECORD_BYTES)],
  ['10 MB of JSON line ends', 'application/json', `[1,${'\n'.repeat(RECORD_BYTES - 10)}2]`],
  ['10 MB as base64', 'application/octet-stream', '\n'.repeat(RECORD_BYTES)],
];

function streamSurfaces(server: StallServer): LargeSurface[] {
  const reading = (
    name: string,
    [, type, body]: (typeof RECORDS)[number],
    readers: number,
  ): LargeSurface => ({
    name,
    async prepare() {
      const headers = { 'content-type': type };
      await server.send('PUT', '/v1/stream/large', { headers });
      const { status } = await server.send('POST', '/v1/stream/large', { headers, body });
      if (status !== 204 && status !== 200) throw new Error(`the record was refused: ${status}`);
      const read = () => server.send('GET', '/v1/stream/large?offset=-1&live=sse');
      return () => Promise.all(Array.from({ length: readers }, read));
    },
  });
  const [lines, ...others] = RECORDS;
  if (!lines) throw new Error('there is no record');
  return [
    ...RECORDS.map((record) => reading(`SSE of ${record[0]}`, record, 1)),
    reading('SSE of 10 million line ends, six readers', lines, 6),
    ...[lines, ...others.slice(0, 1)].map((record) => liveReading(server, record)),
    crowdOf(server),
  ];
}

/** The record arrives while six readers wait for it. */
function liveReading(server: StallServer, [name, type, body]: (typeof RECORDS)[number]): LargeSurface {
  return {
    name: `live SSE of ${name}, six readers`,
    async prepare() {
      const headers = { 'content-type': type };
      await server.send('PUT', '/v1/stream/live', { headers });
      return async () => {
        const reads = Array.from({ length: 6 }, () =>
          server.send('GET', '/v1/stream/live?offset=now&live=sse'),
        );
        await new Promise((resolve) => setTimeout(resolve, 300));
        await server.send('POST', '/v1/stream/live', { headers, body });
        await Promise.all(reads);
      };
    },
  };
}

function crowdOf(server: StallServer): LargeSurface {
  let crowd: ChildProcess | undefined;
  let appends = 0;
  return {
    name: 'an append to 5,000 live readers',
    async prepare() {
      // The readers stay for all rounds.
      await server.restart({ sse: '300s' });
      const headers = { 'content-type': 'text/plain' };
      await server.send('PUT', '/v1/stream/crowd', { headers });
      const path = '/v1/stream/crowd?offset=now&live=sse';
      crowd = fork(CROWD, [server.url, path, server.credential, String(READERS)]);
      const [{ opened }] = (await once(crowd, 'message')) as [{ opened: number }];
      if (opened !== READERS) throw new Error(`${opened} of ${READERS} readers were opened`);
      return async () => {
        appends += 1;
        const text = `append-${appends};`;
        const listening = once(crowd as ChildProcess, 'message');
        crowd?.send(text);
        await listening;
        const got = once(crowd as ChildProcess, 'message');
        await server.send('POST', '/v1/stream/crowd', { headers, body: text });
        await got;
      };
    },
    end: () => void crowd?.kill(),
  };
}

function reportSurfaces(server: StallServer, origin: string): LargeSurface[] {
  const audits = new Map<string, Promise<readonly string[]>>();
  const plant = async (seed: string): Promise<string> => {
    const request = { url: `${origin}/small/${seed}`, pages: 1 };
    const { auditId } = await server.post<{ auditId: string }>('/api/audits', request);
    const status = await server.ended(`/api/audits/${auditId}`);
    if (status !== 'done') throw new Error(`the audit is ${status}`);
    plantReport(server.folder, auditId, largeReport(origin, seed));
    return auditId;
  };
  const surface = (name: string, path: (ids: readonly string[]) => string, at = 1): LargeSurface => ({
    name,
    async prepare() {
      const planted = audits.get(server.folder) ?? Promise.all([plant('a'), plant('b')]);
      audits.set(server.folder, planted);
      const ids = await planted;
      const read = async () => {
        const { status, bytes } = await server.send('GET', path(ids));
        if (status !== 200 || bytes === 0) throw new Error(`${path(ids)}: ${status}, ${bytes} bytes`);
      };
      return () => Promise.all(Array.from({ length: at }, read));
    },
  });
  return [
    ...['json', 'html', 'md', 'csv'].map((format) =>
      surface(`report of 5,000 pages as ${format}`, ([id]) => `/api/audits/${id}/report?format=${format}`),
    ),
    surface('report of 5,000 pages as csv, four at once', ([id]) => `/api/audits/${id}/report?format=csv`, 4),
    surface('diff of two reports of 5,000 pages', ([a, b]) => `/api/audits/${a}/diff/${b}`),
    surface('page of the audits', () => '/api/audits'),
    surface('an audit of 5,000 pages', ([id]) => `/api/audits/${id}`),
  ];
}

function compareSurfaces(server: StallServer, origin: string): LargeSurface[] {
  const sides = { leftUrl: `${origin}/keys/left`, rightUrl: `${origin}/keys/right` };
  const compare = async (more: object): Promise<string> => {
    const { comparisonId } = await server.post<{ comparisonId: string }>('/api/compare', {
      ...sides,
      ...more,
    });
    const status = await server.ended(`/api/compare/${comparisonId}`);
    if (status !== 'completed') throw new Error(`the comparison is ${status}`);
    return comparisonId;
  };
  const done = (act: () => Promise<unknown>) => async () => act;
  return [
    { name: '5,000 keys without ignore rules', prepare: done(() => compare({ samples: 1 })) },
    { name: '100 ignore rules and 5,000 keys', prepare: done(() => compare({ samples: 1, ignore: IGNORE })) },
    {
      name: 'suite of 100 ignore rules and 5,000 keys on 20 paths',
      prepare: done(async () => {
        const paths = Array.from({ length: 20 }, (_, n) => `?${n}`);
        const { suiteId } = await server.post<{ suiteId: string }>('/api/suites', {
          ...sides,
          ...{ paths: paths.map((query) => `/${query}`), ignore: IGNORE, samples: 1 },
        });
        await server.ended(`/api/suites/${suiteId}`);
      }),
    },
    {
      name: 'probes of a comparison of 50 samples',
      async prepare() {
        const id = await compare({ samples: 50 });
        return () => server.send('GET', `/api/compare/${id}/probes`);
      },
    },
    {
      name: 'a comparison and the history of its pair',
      async prepare() {
        let id = '';
        for (let n = 0; n < 20; n++) id = await compare({ samples: 1 });
        const [pairKey] = id.split(':');
        return async () => {
          await server.send('GET', `/api/compare/${id}`);
          await server.send('GET', `/api/pairs/${pairKey}/comparisons?limit=100`);
        };
      },
    },
    {
      name: '1,000 probes',
      prepare: done(() => {
        const probe = (n: number) =>
          server.send('GET', `/api/probe?url=${encodeURIComponent(`${origin}/small/${n}`)}`);
        return Promise.all(Array.from({ length: PROBES }, (_, n) => probe(n)));
      }),
    },
  ];
}
