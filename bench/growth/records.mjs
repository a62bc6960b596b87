// Requests lists and an enqueue a number of times, and returns the median and the longest of each.
import { median } from '../streams/stats.mjs';

const LOOKS = 20;

/** @type {Record<string, [method: string, path: string, body?: string]>} */
export const RECORD_REQUESTS = {
  'jobs, all': ['GET', 'api/jobs?limit=50'],
  'jobs, failed (none)': ['GET', 'api/jobs?status=failed&limit=50'],
  'jobs, of another kind (none)': ['GET', 'api/jobs?kind=audit&limit=50'],
  pairs: ['GET', 'api/pairs?limit=50'],
  enqueue: ['POST', 'api/jobs', JSON.stringify({ kind: 'hello', url: 'https://example.com/' })],
};

/** Returns the figures in the order of RECORD_REQUESTS. @param {string} url @param {number} looks */
export async function askForRecords(url, looks = LOOKS) {
  const medians = [];
  const longest = [];
  for (const [method, path, body] of Object.values(RECORD_REQUESTS)) {
    const times = [];
    for (let n = 0; n < looks; n++) {
      const from = performance.now();
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url + path, { method, headers, ...(body && { body }) });
      if (response.status >= 400)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      times.push(performance.now() - from);
    }
    medians.push(median(times));
    longest.push(Math.max(...times));
  }
  return { medians, longest };
}

const CREATES_MS = 3_000;
export const CLIENTS = 16;

/**
 * How many requests per second several clients get through, one after another each.
 * @param {(client: number, n: number) => Promise<Response>} create
 */
export async function createsPerSecond(create) {
  let created = 0;
  const from = performance.now();
  const client = async (/** @type {number} */ id) => {
    for (let n = 0; performance.now() - from < CREATES_MS; n++) {
      const response = await create(id, n);
      if (!response.ok) throw new Error(`a create failed: ${response.status} ${await response.text()}`);
      await response.arrayBuffer();
      created++;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, id) => client(id)));
  return created / ((performance.now() - from) / 1000);
}

/** @param {string} url */
export function jobsPerSecond(url) {
  const headers = { 'content-type': 'application/json' };
  return createsPerSecond((client, n) => {
    const body = JSON.stringify({ kind: 'hello', url: `https://example.com/${client}/${n}` });
    return fetch(`${url}api/jobs`, { method: 'POST', headers, body });
  });
}
