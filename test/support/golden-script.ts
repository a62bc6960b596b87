/** One conversation with a server, the same for every engine; the masked responses must be the same too. */
import { type RecordedResponse, readResponse } from './mask-response.js';

export interface GoldenTargets {
  /** Two environments that differ, and a small site. */
  readonly left: string;
  readonly right: string;
  readonly site: string;
}

/** Response times depend on the machine, so findings about them must not decide anything here. */
const ignore = ['TIMING_*'];

type Conversation = Map<string, RecordedResponse>;

export async function runGoldenScript(server: string, targets: GoldenTargets): Promise<Conversation> {
  const talk = new Talk(server);
  await askPublic(talk);
  await askProbe(talk, targets);
  await askCompare(talk, targets);
  await askSuites(talk, targets);
  await askAudits(talk, targets);
  await askJobs(talk, targets);
  return talk.responses;
}

class Talk {
  readonly responses: Conversation = new Map();
  readonly #server: string;

  constructor(server: string) {
    this.#server = server;
  }

  async ask(name: string, path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.send(path, init);
    this.responses.set(
      `${name}: ${init.method ?? 'GET'}`,
      await readResponse(response.clone(), this.#server),
    );
    return response;
  }

  post(name: string, path: string, body: unknown, headers: Record<string, string> = {}) {
    const init = { method: 'POST', body: JSON.stringify(body) };
    return this.ask(name, path, { ...init, headers: { 'content-type': 'application/json', ...headers } });
  }

  send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    // How a body is encoded in transit is up to the connection.
    headers.set('accept-encoding', 'identity');
    return fetch(new URL(path, this.#server), { redirect: 'manual', ...init, headers });
  }

  /** Follows the events of a run until it has ended. */
  async ended(path: string): Promise<void> {
    for (let round = 0; round < 20; round++) {
      const events = await this.send(`${path}/events`, { headers: { accept: 'text/event-stream' } });
      await events.text();
      const page = (await (await this.send(`${path}/events`)).json()) as { readonly ended: boolean };
      if (page.ended) return;
    }
    throw new Error(`${path} did not end`);
  }
}

async function askPublic(talk: Talk): Promise<void> {
  for (const path of ['/', '/favicon.svg', '/docs', '/openapi.json', '/api/tenant', '/nothing/here']) {
    await talk.ask(path, path);
  }
  await talk.ask('a method that is not there', '/api/tenant', { method: 'DELETE' });
  await talk.ask('a preflight', '/api/compare', {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example' },
  });
}

async function askProbe(talk: Talk, { left }: GoldenTargets): Promise<void> {
  const probe = (url: string, more = '') => `/api/probe?url=${encodeURIComponent(url)}${more}`;
  await talk.ask('a probe', probe(`${left}/`));
  await talk.ask('a full probe', probe(`${left}/`, '&profile=full'));
  await talk.ask('a probe that is redirected', probe(`${left}/moved`));
  await talk.ask('a probe of a wrong path', probe(`${left}/missing`));
  await talk.ask('a probe without a url', '/api/probe');
  await talk.ask('a probe of a private address', probe('http://10.0.0.1/'));
  await talk.ask('a probe of no url', probe('nothing'));
}

async function askCompare(talk: Talk, { left, right }: GoldenTargets): Promise<void> {
  const pair = { leftUrl: `${left}/`, rightUrl: `${right}/`, samples: 2, ignore };
  const headers = { 'idempotency-key': 'golden' };
  const made = await talk.post('a comparison', '/api/compare', pair, headers);
  const { comparisonId } = (await made.json()) as { comparisonId: string };
  const path = `/api/compare/${comparisonId}`;
  await talk.ended(path);
  await talk.ask('the comparison', path);
  await talk.ask('its probes', `${path}/probes`);
  await talk.ask('its events', `${path}/events`);
  await talk.ask('pairs', '/api/pairs');
  await talk.ask('history', `/api/pairs/${comparisonId.split(':')[0]}/comparisons`);
  await talk.ask('no history', '/api/pairs/nothing/comparisons');
  await talk.post('the comparison again', '/api/compare', pair, headers);
  await talk.post('another under its key', '/api/compare', { ...pair, samples: 1 }, headers);
  await talk.post('no right side', '/api/compare', { leftUrl: pair.leftUrl });
  await talk.post('a private side', '/api/compare', { ...pair, rightUrl: 'http://169.254.169.254/' });
  await talk.ask('an unknown comparison', `/api/compare/${'a'.repeat(40)}:${crypto.randomUUID()}`);
}

async function askSuites(talk: Talk, { left, right }: GoldenTargets): Promise<void> {
  // One path at a time, so that they end in the same order everywhere.
  const sides = { leftUrl: left, rightUrl: right, samples: 1, ignore };
  const suite = { ...sides, paths: ['/', '/missing'], concurrency: 1 };
  const headers = { 'idempotency-key': 'golden suite' };
  const made = await talk.post('a suite', '/api/suites', suite, headers);
  const { suiteId } = (await made.json()) as { suiteId: string };
  const path = `/api/suites/${suiteId}`;
  await talk.ended(path);
  const shown = await talk.ask('the suite', path);
  const { rows } = (await shown.json()) as { rows: { path: string; comparisonId: string }[] };
  for (const each of rows)
    await talk.ask(`the suite's comparison of ${each.path}`, `/api/compare/${each.comparisonId}`);
  await talk.ask('its events as a suite', `${path}/events`);
  await talk.ask('a page of its paths', `${path}?after=0&limit=1`);
  await talk.ask('suites', '/api/suites');
  await talk.post('the suite again', '/api/suites', suite, headers);
  await talk.post('a suite without paths', '/api/suites', { leftUrl: left, rightUrl: right });
  await talk.post('too late for it', `/api/jobs/${suiteId}/cancel`, {});
  await talk.ask('an unknown suite', '/api/suites/nothing');
}

async function askAudits(talk: Talk, { site }: GoldenTargets): Promise<void> {
  const wanted = { url: `${site}/`, pages: 5, delayMs: 0 };
  const made = await talk.post('an audit', '/api/audits', wanted);
  const { auditId } = (await made.json()) as { auditId: string };
  const path = `/api/audits/${auditId}`;
  await talk.ended(path);
  await talk.ask('the audit', path);
  await talk.ask('audits', '/api/audits');
  await talk.ask("the audit's events", `${path}/events`);
  for (const format of ['json', 'html', 'md', 'csv']) {
    await talk.ask(`its report as ${format}`, `${path}/report?format=${format}`);
  }
  await talk.ask('what changed', `${path}/diff/${auditId}`);
  await talk.ask('too late', `${path}/cancel`, { method: 'POST' });
  await talk.post('the audit again', '/api/audits', { ...wanted, reuse: 600 });
  await talk.post('an audit of nothing', '/api/audits', { url: 'nothing' });
  await talk.ask('an unknown audit', `/api/audits/${crypto.randomUUID()}/report`);
}

async function askJobs(talk: Talk, { site }: GoldenTargets): Promise<void> {
  const made = await talk.post('a job', '/api/jobs', { kind: 'hello', url: `${site}/slow` });
  const { jobId } = (await made.json()) as { jobId: string };
  await talk.ended(`/api/jobs/${jobId}`);
  await talk.ask('the job', `/api/jobs/${jobId}`);
  await talk.ask('its events as a job', `/api/jobs/${jobId}/events`);
  await talk.ask('jobs', '/api/jobs');
  await talk.ask('retry', `/api/jobs/${jobId}/retry`, { method: 'POST' });
  await talk.post('a webhook', '/api/webhooks', {
    url: 'https://hooks.example.com/x',
    events: ['audit.done'],
  });
  await talk.ask('webhooks', '/api/webhooks');
  await talk.ask('the tenant', '/api/tenant');
}
