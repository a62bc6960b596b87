/** The dashboard, the alert rules and the documented metrics use what a server really exposes. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { UPSTREAM_OUTCOMES } from '../../src/proxy/index.js';
import { listenHttp } from '../support/listen.js';
import { newDatabase } from '../support/postgres-database.js';
import { JOB_OPTIONS, serveForTest } from '../support/serve.js';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

/** Labels that Prometheus adds to every metric. */
const ADDED = ['instance', 'job'];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  status: ['1xx', '2xx', '3xx', '4xx', '5xx'],
  outcome: [...UPSTREAM_OUTCOMES, 'ok', 'done', 'again', 'delivered', 'canceled'],
  state: ['due', 'retrying', 'key_missing', 'busy', 'idle', 'waiting'],
  quantile: ['0.5', '0.99', '1'],
};

const samplesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

/** Returns the labels of each metric of a server, in a cluster and embedded, that has done some of everything. */
async function exposed(): Promise<Map<string, string[]>> {
  const upstream = await listenHttp((_request, response) => response.end('hello'));
  const server = await serveForTest({
    jobs: { ...JOB_OPTIONS, databaseUrl: await newDatabase() },
    proxy: { allow: [`private:${upstream.origin}`], routes: {}, env: () => undefined },
  });
  try {
    const headers = { 'upstream-url': upstream.origin, 'upstream-method': 'GET' };
    expect((await fetch(`${server.url}/v1/proxy`, { method: 'POST', headers })).status).toBe(201);
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const samples = samplesOf(text);
    const embedded = await serveForTest();
    const own = await (await fetch(`${embedded.url}/metrics`)).text();
    await embedded.stop();
    return new Map(
      [...samples, ...samplesOf(own)].map((line) => {
        const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
        return [name, [...labels.matchAll(/(\w+)="/g)].map((match) => match[1] ?? '')];
      }),
    );
  } finally {
    await server.stop();
    await upstream.close();
  }
}

interface Used {
  readonly metric: string;
  readonly labels: readonly string[];
  readonly values: readonly (readonly [string, string])[];
}

/** Returns what an expression reads: each metric, with the labels that select or group it. */
function usedBy(expr: string): Used[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap((match) => (match[1] ?? '').split(/,\s*/));
  return [...expr.matchAll(/\b((?:sonde|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map((match) => {
    const [, metric = '', selector = ''] = match;
    const pairs = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)];
    return {
      metric,
      labels: [...grouped, ...pairs.map((pair) => pair[1] ?? '')],
      values: pairs.map((pair) => [pair[1] ?? '', pair[2] ?? ''] as const),
    };
  });
}

const rules = (parse(read('ops/alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] })
  .groups[0]?.rules;
const { panels } = JSON.parse(read('ops/grafana-dashboard.json')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const expressions = [
  ...(rules ?? []).map(({ alert, expr }) => ({ where: alert, expr })),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
];

test('every metric, label and value in the dashboard and the alerts exists', async () => {
  const known = await exposed();
  const wrong = expressions.flatMap(({ where, expr }) =>
    usedBy(expr).flatMap(({ metric, labels, values }) => {
      const own = known.get(metric);
      if (!own) return [`${where}: no metric ${metric}`];
      return [
        ...labels.filter((label) => ![...own, ...ADDED].includes(label)).map((label) => `${where}: ${label}`),
        ...values
          .flatMap(([label, value]) => value.split('|').map((each) => [label, each] as const))
          .filter(([label, value]) => VALUES[label]?.includes(value) === false)
          .map(([label, value]) => `${where}: ${label}="${value}"`),
      ];
    }),
  );
  expect(wrong).toEqual([]);
  expect(expressions.length).toBeGreaterThan(25);
  const shown = new Set(expressions.flatMap(({ expr }) => usedBy(expr).map(({ metric }) => metric)));
  const hidden = [...known.keys()].filter((name) => !/_(?:sum|count)$/.test(name) && !shown.has(name));
  expect(hidden).toEqual([]);
  const documented = [...read('docs/OPERATIONS.md').matchAll(/`(sonde_\w+)/g)].map((match) => match[1] ?? '');
  const series = [...known.keys()].map((name) => name.replace(/_bucket$/, ''));
  expect(documented.filter((name) => !series.includes(name))).toEqual([]);
});

test('every alert explains what happened and what to do', () => {
  for (const rule of rules ?? []) {
    expect(rule).toMatchObject({
      annotations: { summary: expect.any(String), action: expect.any(String) },
      labels: { severity: expect.stringMatching(/^(?:critical|warning)$/) },
    });
  }
});

test('panels do not overlap', () => {
  const cells = (
    JSON.parse(read('ops/grafana-dashboard.json')).panels as { gridPos: Record<string, number> }[]
  ).flatMap(({ gridPos: { x = 0, y = 0, w = 0, h = 0 } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
});
