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
