// Writes the Markdown report as one comment on the pull request: a later run replaces it instead of adding another. Only
// a report that this run wrote is published, and only a comment of the token's own account is replaced.
import { readFileSync } from 'node:fs';

const BODY_MAX = 60_000;
const PAGE = 100;
const PAGES_MAX = 30;
const { GITHUB_API_URL, GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_TOKEN, MODE, REPORT, WROTE } =
  process.env;
const { GITHUB_GRAPHQL_URL } = process.env;
/** The account of a workflow's own token. */
const ACTIONS = 'github-actions[bot]';
const marker = `<!-- sonde ${MODE ?? 'compare'} -->`;

/** @param {string} method @param {string} path @param {object} [body] @returns {Promise<unknown>} */
async function call(method, path, body) {
  const response = await send(method, `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`, body);
  if (response.ok) return response.json();
  throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(await response.text())}`);
}

/** @param {string} method @param {string} url @param {object} [body] */
function send(method, url, body) {
  return fetch(url, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${GITHUB_TOKEN}`,
      'content-type': 'application/json',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** The account that the token belongs to, without which a stranger's comment could pass for our own. */
async function ownLogin() {
  if (!GITHUB_GRAPHQL_URL) return ACTIONS;
  const response = await send('POST', GITHUB_GRAPHQL_URL, { query: '{viewer{login}}' });
  if (!response.ok) return ACTIONS;
  const { data } = /** @type {{ data?: { viewer?: { login?: string } } }} */ (await response.json());
  return data?.viewer?.login ?? ACTIONS;
}

/** @param {number} number @returns {Promise<number | undefined>} */
async function ownComment(number) {
  const login = await ownLogin();
  for (let page = 1; page <= PAGES_MAX; page++) {
    const path = `/issues/${number}/comments?per_page=${PAGE}&page=${page}`;
    const comments = /** @type {{ id: number, body?: string, user?: { login?: string } | null }[]} */ (
      await call('GET', path)
    );
    const own = comments.find(({ body, user }) => user?.login === login && body?.startsWith(marker));
    if (own || comments.length < PAGE) return own?.id;
  }
  return undefined;
}

function report() {
  if (WROTE === 'true') return readFileSync(`${REPORT}/report.md`, 'utf8');
  return 'Sonde wrote no report. The log of the job says why.';
}

const event = JSON.parse(readFileSync(GITHUB_EVENT_PATH ?? '', 'utf8'));
const number = event.pull_request?.number;
if (typeof number !== 'number') throw new Error('the event has no pull request');
const text = report();
const cut =
  text.length > BODY_MAX ? `${text.slice(0, BODY_MAX)}\n\nCut: the whole report is in the artifact.` : text;
const body = { body: `${marker}\n${cut}` };
const id = await ownComment(number);
if (id === undefined) await call('POST', `/issues/${number}/comments`, body);
else await call('PATCH', `/issues/comments/${id}`, body);
