/** The workflow with a scripted egress: it can be killed at every step, resumes, and produces the same report. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '../audits/extract/index.js';
import type { AuditPorts, AuditReport } from '../audits/index.js';
import { completeOptions, ownerProof, PART_NAMES, ProcessAuditRecord } from '../audits/index.js';
import { SondeError } from '../errors.js';
import type { Progress, Steps } from '../jobs/index.js';
import { createPolicy, type Egress } from '../net/index.js';
import { auditSite } from './audit-site.js';

const ORIGIN = 'https://www.example.com';

interface Target {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A site behind the egress port. */
function scripted(response: (path: string) => Target | SondeError): { ports: AuditPorts; asked: string[] } {
  const asked: string[] = [];
  const egress: Egress = {
    assurance: 'pinned',
    policy: createPolicy({}),
    async send({ target, method }) {
      const path = target.url.pathname;
      asked.push(`${method} ${target.url.host === 'www.example.com' ? path : target.url.href}`);
      const given = response(path);
      if (given instanceof SondeError) throw given;
      const pieces = method === 'HEAD' ? [] : [new TextEncoder().encode(given.body ?? '')];
      return {
        status: given.status,
        headers: Object.entries({ 'content-type': 'text/html; charset=utf-8', ...given.headers }),
        body: { read: async () => pieces.shift(), cancel: () => {} },
        connection: {},
        timings: () => ({ firstByte: 5 }),
      };
    },
    close: async () => {},
  };
  const ports: AuditPorts = {
    egress,
    clock: { now: () => Date.UTC(2026, 10, 15), sleep: async () => {} },
    documents: { read: async (source) => readDocument(source, (text) => text) },
    random: () => 0.5,
  };
  return { ports, asked };
}

const PAGES = 45;
const site = (path: string): Target => {
  if (path === '/robots.txt')
    return {
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: 'User-agent: *\nDisallow: /closed\n',
    };
  const at = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (!(at < PAGES)) return { status: 404 };
  const links = Array.from({ length: 5 }, (_, nth) => `<a href="/p${(at * 5 + nth + 1) % PAGES}">page</a>`);
  return {
    status: 200,
    body: `<!doctype html><title>Page number ${at} here</title>${links.join('')}<a href="/closed">c</a>`,
  };
};

const INPUT = { url: `${ORIGIN}/`, options: completeOptions({ delayMs: 0 }) };

/** Steps that keep their results like a queue, and die before the step with the given number. */
function durableSteps(done: Map<string, unknown>, dieAt = Number.POSITIVE_INFINITY): Steps {
  let ran = 0;
  return {
    async do<T>(name: string, _options: object, run: () => Promise<T>): Promise<T> {
      if (done.has(name)) return done.get(name) as T;
      ran += 1;
      if (ran > dieAt) throw new Error('killed');
      const result = await run();
      done.set(name, JSON.parse(JSON.stringify(result)));
      return result;
    },
  };
}

async function audit(setup: {
  ports: AuditPorts;
  record: ProcessAuditRecord;
  steps: Steps;
  tenantId?: string;
}) {
  const percents: number[] = [];
  const reported: (readonly [number, string])[] = [];
  const data: unknown[] = [];
  const { ports, record, steps, tenantId } = setup;
  const context = {
    steps,
    signal: new AbortController().signal,
    progress: (progress: Progress) => {
      percents.push(progress.percent);
      reported.push([progress.percent, progress.message]);
      if ('data' in progress) data.push(progress.data);
    },
  };
  const input = { ...INPUT, ...(tenantId !== undefined && { tenantId }) };
  const outcome = await auditSite(input, { ports, record }, context);
  return { outcome, percents, reported, data, report: (await record.get(PART_NAMES.report)) as AuditReport };
}

describe('the audit of a site', () => {
  it('progresses from 0 to 100 percent in steps of at most twenty pages', async () => {
    const { ports, asked } = scripted(site);
    const done = new Map<string, unknown>();
    const record = new ProcessAuditRecord();
    const { percents, report } = await audit({ ports, record, steps: durableSteps(done) });
    expect(percents[0]).toBe(0);
    expect(percents.at(-1)).toBe(100);
    expect(percents).toEqual([...percents].sort((left, right) => left - right));
    expect(report.counts.pages).toBe(PAGES + 1);
    expect(report.reading).toMatchObject({ blocked: 1 });
    expect(asked.slice(0, 3)).toEqual(['GET /robots.txt', 'GET /', 'GET /sitemap.xml']);
    expect(asked.filter((each) => each.includes('closed'))).toEqual([]);
    for (const [part, text] of record.parts()) {
      if (part.startsWith('crawl/'))
        expect((JSON.parse(text) as { pages: unknown[] }).pages.length).toBeLessThanOrEqual(20);
    }
    // A step returns the name of its part, not the part itself.
    expect(Math.max(...[...done.values()].map((value) => JSON.stringify(value).length))).toBeLessThan(200);
  });

  it('runs its phases in steps of at most ten sitemaps, twenty pages and fifteen checks', async () => {
    const list = (count: number, text: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => text(at)).join('\n');
    const of = (type: string, body: string) => ({ status: 200, headers: { 'content-type': type }, body });
    const { ports } = scripted((path) => {
      if (path === '/robots.txt')
        return of(
          'text/plain',
          list(21, (at) => `Sitemap: ${ORIGIN}/s${at}.xml`),
        );
      const at = /^\/s(\d+)\.xml$/.exec(path)?.[1];
      if (at === undefined)
        return of(
          'text/html',
          list(16, (nth) => `<img src="/i${nth}.png">`),
        );
      return of('application/xml', `<urlset><url><loc>${ORIGIN}/p${at}</loc></url></urlset>`);
    });
    const done = new Map<string, unknown>();
    await audit({ ports, record: new ProcessAuditRecord(), steps: durableSteps(done) });
    expect([...done.keys()].sort()).toEqual([
      ...['checks/0', 'checks/1', 'crawl/0', 'crawl/1', 'end', 'opening', 'owner', 'probes', 'samples'],
      ...['score', 'sitemaps/0', 'sitemaps/1', 'sitemaps/2', 'styles'],
    ]);
  });

  it('runs two steps at a time', async () => {
    const links = Array.from({ length: 90 }, (_, at) => `<a href="/q${at}">page</a>`).join('');
    const { ports } = scripted(() => ({ status: 200, body: `<title>A page</title>${links}` }));
    let [underWay, most] = [0, 0];
    const steps: Steps = {
      async do(_name, _options, run) {
        most = Math.max(most, ++underWay);
        return await run().finally(() => {
          underWay -= 1;
        });
      },
    };
    await audit({ ports, record: new ProcessAuditRecord(), steps });
    expect(most).toBe(2);
  });

  it('waits for the other step in flight if one fails', async () => {
    const { ports } = scripted(site);
    const events: string[] = [];
    const steps: Steps = {
      async do(name, _options, run) {
        if (name === 'crawl/1') throw new Error('killed');
        const result = await run();
        // Time for the failure of the other step to be noticed.
        if (name === 'crawl/2') for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
        events.push(name);
        return result;
      },
    };
    await expect(audit({ ports, record: new ProcessAuditRecord(), steps })).rejects.toThrow('killed');
    expect(events).toEqual(['opening', 'sitemaps/0', 'crawl/0', 'crawl/2']);
  });

  it('reports the progress of each phase', async () => {
    const away = Array.from({ length: 16 }, (_, nth) => `<a href="https://other.example/x${nth}">x</a>`);
    const { ports } = scripted((path) => {
      const given = site(path);
      return path === '/' ? { ...given, body: `${given.body}${away.join('')}` } : given;
    });
    const record = new ProcessAuditRecord();
    const { reported, data, outcome } = await audit({ ports, record, steps: durableSteps(new Map()) });
    expect(reported).toEqual([
      [0, 'Requesting robots.txt'],
      [3, 'Read robots.txt and https://www.example.com/'],
      [5, 'Read the sitemaps'],
      [19, 'Crawled 6 of 32 pages, robots.txt disallows 1'],
      [42, 'Crawled 26 of 47 pages, robots.txt disallows 1'],
      [49, 'Crawled 31 of 47 pages, robots.txt disallows 1'],
      [70, 'Crawled 46 of 47 pages, robots.txt disallows 1'],
      [86, 'Checked 15 of 16 links and files'],
      [88, 'Checked 16 of 16 links and files'],
      [91, 'Requested other variants of the host, a missing page and llms.txt'],
      [94, 'Timed a sample of the pages'],
      [96, 'Scoring'],
      [100, `Score ${outcome.score}, grade ${outcome.grade}`],
    ]);
    expect(data).toEqual([
      ...[6, 26, 31, 46].map((pages) => ({ pages })),
      ...[15, 16].map((checks) => ({ checks })),
      { score: outcome.score, grade: outcome.grade },
    ]);
  });

  it('retries each step twice', async () => {
    const { ports } = scripted(site);
    const retries = new Set<string>();
    const steps: Steps = {
      do(_name, options, run) {
        retries.add(JSON.stringify(options));
        return run();
      },
    };
    await audit({ ports, record: new ProcessAuditRecord(), steps });
    expect([...retries]).toEqual(['{"retries":{"limit":2,"delayMs":1000,"backoff":"exponential"}}']);
  });

  it('fails if the part of a completed step is missing', async () => {
    const { ports } = scripted(site);
    const done = new Map<string, unknown>([[PART_NAMES.opening, { part: PART_NAMES.opening }]]);
    const work = audit({ ports, record: new ProcessAuditRecord(), steps: durableSteps(done) });
    await expect(work).rejects.toThrow(`the audit's record is missing its part ${PART_NAMES.opening}`);
  });

  it('resumes after a kill before any step with the same report, without repeating requests', async () => {
    const whole = scripted(site);
    const steps = new Map<string, unknown>();
    const expected = await audit({
      ports: whole.ports,
      record: new ProcessAuditRecord(),
      steps: durableSteps(steps),
    });
    for (let kill = 0; kill < steps.size; kill += 1) {
      const { ports, asked } = scripted(site);
      const done = new Map<string, unknown>();
      const record = new ProcessAuditRecord();
      await expect(audit({ ports, record, steps: durableSteps(done, kill) })).rejects.toThrow('killed');
      const { report } = await audit({ ports, record, steps: durableSteps(done) });
      expect(timeless(report)).toEqual(timeless(expected.report));
      const pages = asked.filter((each) => /^GET \/p\d+$/.test(each)).slice(0, PAGES);
      expect(new Set(pages).size).toBe(PAGES);
    }
  });

  it('starts no further step after an abort', async () => {
    const { ports } = scripted(site);
    const whole = new Map<string, unknown>();
    await audit({ ports, record: new ProcessAuditRecord(), steps: durableSteps(whole) });
    for (const last of [...whole.keys()].slice(0, -2)) {
      const stop = new AbortController();
      const begunAfter: string[] = [];
      const steps: Steps = {
        async do(name, _options, run) {
          if (stop.signal.aborted) begunAfter.push(name);
          const result = await run();
          if (name === last) stop.abort(new Error('called off'));
          return result;
        },
      };
      const context = { steps, signal: stop.signal, progress: () => undefined };
      const work = auditSite(INPUT, { ports, record: new ProcessAuditRecord() }, context);
      await expect(work).rejects.toThrow('called off');
      expect(begunAfter).toEqual([]);
    }
  });

  it('checks robots.txt for every hop of a redirect within the site, fetching that of a new host first', async () => {
    const shop = 'https://shop.example.com';
    const { ports, asked } = scripted((path) => {
      if (path === '/p1') return { status: 301, headers: { location: '/closed/room' } };
      if (path === '/p2') return { status: 302, headers: { location: `${shop}/open` } };
      if (path === '/p3') return { status: 302, headers: { location: `${shop}/closed/cellar` } };
      if (path === '/open') return { status: 200, body: '<title>Open</title>' };
      return site(path);
    });
    const { report } = await audit({
      ports,
      record: new ProcessAuditRecord(),
      steps: durableSteps(new Map()),
    });
    const at = (url: string) => report.pages.find((page) => page.url === url);
    expect(asked.filter((each) => each.includes('closed'))).toEqual([]);
    expect(at(`${ORIGIN}/p1`)?.status).toBe(301);
    expect(at(`${ORIGIN}/closed/room`)?.status).toBeNull();
    expect(at(`${shop}/open`)?.status).toBe(200);
    expect(at(`${shop}/closed/cellar`)?.status).toBeNull();
    const there = asked.filter((each) => each.includes(shop));
    expect(there.slice(0, 2)).toEqual([`GET ${shop}/robots.txt`, `GET ${shop}/open`]);
    const blocked = report.rules.find(({ id }) => id === 'idx.blocked-by-robots');
    const urls = blocked?.issues.map(({ url }) => url);
    expect(urls).toEqual(expect.arrayContaining([`${ORIGIN}/closed/room`, `${shop}/closed/cellar`]));
    const statuses = report.rules.find(({ id }) => id === 'http.status-ok');
    expect(statuses?.issues).toEqual([]);
  });

  it('records every response and retries only transient failures', async () => {
    let busy = 0;
    const { ports, asked } = scripted((path) => {
      if (path === '/p1') return { status: 500 };
      if (path === '/p2') return new SondeError('connect_error', 'refused');
      if (path === '/p3' && busy++ < 1) return { status: 503, headers: { 'retry-after': '1' } };
      return site(path);
    });
    const { outcome, report } = await audit({
      ports,
      record: new ProcessAuditRecord(),
      steps: durableSteps(new Map()),
    });
    const crawled = (path: string) => asked.filter((each) => each === `GET ${path}`).length;
    expect(report.pages.find(({ url }) => url.endsWith('/p1'))?.status).toBe(500);
    expect(crawled('/p1')).toBe(1);
    expect(crawled('/p2')).toBe(3);
    expect(report.pages.find(({ url }) => url.endsWith('/p3'))?.status).toBe(200);
    const errors = report.rules.find(({ id }) => id === 'http.status-ok')?.issues ?? [];
    expect(errors.map(({ url }) => new URL(url).pathname).sort()).toEqual(['/p1', '/p2']);
    // Two failed pages of 45 cost points but do not cap the score.
    expect([report.gates, outcome.score]).toEqual([[], report.ungated]);
  });

  describe('for the owner of the site', () => {
    const { file, record: text } = ownerProof('tenant-1', new URL(ORIGIN));
    const withFile = (path: string): Target =>
      path === '/.well-known/sonde-verify' ? { status: 200, body: `${file.content}\n` } : site(path);

    async function asOwner(response: (path: string) => Target, records?: readonly string[]) {
      const { ports, asked } = scripted(response);
      const names: string[] = [];
      const lookup = async (name: string) => {
        names.push(name);
        return records ?? [];
      };
      const { report } = await audit({
        ports: { ...ports, ...(records && { textRecords: { lookup } }) },
        record: new ProcessAuditRecord(),
        steps: durableSteps(new Map()),
        tenantId: 'tenant-1',
      });
      const status = (id: string) => report.rules.find((rule) => rule.id === id)?.status;
      return { leaks: status('sec.leaks'), env: asked.includes('GET /.env'), names };
    }

    it('checks for leaks if the token is in the file or in a TXT record', async () => {
      expect(await asOwner(withFile)).toMatchObject({ leaks: 'pass', env: true });
      const byRecord = await asOwner(site, ['v=spf1', text.value]);
      expect(byRecord).toEqual({ leaks: 'pass', env: true, names: ['_sonde-verify.www.example.com'] });
    });

    it('does not check for leaks without a token, with the token of another tenant, or behind a redirect', async () => {
      const unproved = { leaks: 'not-measured', env: false };
      expect(await asOwner(site)).toMatchObject(unproved);
      const { record: other } = ownerProof('tenant-2', new URL(ORIGIN));
      expect(await asOwner(site, [other.value])).toMatchObject(unproved);
      const away = { status: 301, headers: { location: '/moved' } };
      const moved = (path: string): Target =>
        path === '/moved'
          ? { status: 200, body: file.content }
          : path === '/.well-known/sonde-verify'
            ? away
            : site(path);
      expect(await asOwner(moved)).toMatchObject(unproved);
    });
  });

  it('fails only if the start URL does not respond: at once if refused, after three attempts otherwise', async () => {
    const run = (url: string, response: (path: string) => Target | SondeError) => {
      const { ports, asked } = scripted(response);
      const record = new ProcessAuditRecord();
      const context = {
        steps: durableSteps(new Map()),
        signal: new AbortController().signal,
        progress: () => {},
      };
      return { asked, ended: auditSite({ ...INPUT, url }, { ports, record }, context) };
    };
    await expect(run('https://127.0.0.1/', site).ended).rejects.toMatchObject({ code: 'ssrf_blocked' });
    await expect(run('ftp://www.example.com/', site).ended).rejects.toMatchObject({ code: 'invalid_url' });
    const dead = run(`${ORIGIN}/`, () => new SondeError('timeout', 'no response'));
    await expect(dead.ended).rejects.toMatchObject({ code: 'timeout' });
    expect(dead.asked.filter((each) => each === 'GET /')).toHaveLength(3);
    await expect(run(`${ORIGIN}/`, () => ({ status: 404 })).ended).resolves.toMatchObject({ pages: 1 });
  });
});

/** Removes durations, which differ between runs. */
function timeless(report: AuditReport): unknown {
  return JSON.parse(JSON.stringify(report).replaceAll(/\d+ ms/g, 'N ms'));
}
