// Starts the built server with its demo, and a Chromium that opens it, for the screenshots and the benchmark.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJiti } from 'jiti';
import { build, isStale } from './build.mjs';

const WAIT_MS = 150_000;

const jiti = createJiti(import.meta.url, { fsCache: false });

/** @typedef {Awaited<ReturnType<typeof openDashboard>>} OpenDashboard */

/** `close` ends everything. */
export async function openDashboard() {
  if (isStale()) await build();
  /** @type {typeof import('../test/support/find-chromium.ts')} */
  const { findChromium } = await jiti.import('../test/support/find-chromium.ts');
  /** @type {typeof import('../test/support/chromium.ts')} */
  const { launchChromium } = await jiti.import('../test/support/chromium.ts');
  /** @type {typeof import('../test/support/built-server.ts')} */
  const { startBuiltServer } = await jiti.import('../test/support/built-server.ts');
  const { path: executablePath } = await findChromium();
  const data = mkdtempSync(join(tmpdir(), 'sonde-dashboard-'));
  const start = () => startBuiltServer({ folder: data, args: ['--demo'] });
  let server = await start();
  const browser = await launchChromium(executablePath);
  return {
    browser,
    data,
    get url() {
      return server.url;
    },
    /** Stops the server while `work` changes its stored data. @param {() => void | Promise<void>} work */
    async whileStopped(work) {
      await server.stop();
      await work();
      server = await start();
    },
    async close() {
      await browser.close();
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** @param {string} url @param {unknown} [body] @returns {Promise<any>} */
export async function call(url, body) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** @param {string} url @param {(body: any) => boolean} isDone @returns {Promise<any>} */
export async function callUntil(url, isDone) {
  for (const until = Date.now() + WAIT_MS; Date.now() < until; ) {
    const body = await call(url);
    if (isDone(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${url} took more than ${WAIT_MS} ms`);
}
