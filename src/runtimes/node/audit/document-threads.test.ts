import { BroadcastChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDocumentThreads, type DocumentThreads } from './document-threads.js';

const HANGS = 'document-threads.test: hangs';

/** A thread that returns the URL and size of each page, or hangs, fails or dies if the URL says so. */
const THREAD = `
  import { BroadcastChannel, parentPort } from 'node:worker_threads';
  const hangs = new BroadcastChannel('${HANGS}');
  hangs.unref();
  parentPort.on('message', ({ id, source }) => {
    if (source.url.includes('hang')) {
      hangs.postMessage(source.url);
      for (;;);
    }
    if (source.url.includes('die')) process.exit(1);
    const failed = source.url.includes('fail') ? 'no' : undefined;
    const read = { document: { url: source.url, bytes: source.bytes.length }, fault: null };
    parentPort.postMessage(JSON.stringify(failed ? { id, failed } : { id, read }));
  });`;
const THREAD_URL = new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`);

const READ_MS = 500;
/** Time advances only when a thread hangs, so that a busy machine causes no timeout. */
let hangs: BroadcastChannel;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  hangs = new BroadcastChannel(HANGS);
  // After the replies that the thread sent earlier have been received.
  hangs.onmessage = () => void setImmediate(() => vi.advanceTimersByTime(READ_MS));
});

let threads: DocumentThreads | undefined;
afterEach(async () => {
  hangs.close();
  vi.useRealTimers();
  await threads?.close();
});

const page = (url: string, bytes = 10) => ({
  ...{ url, domain: 'example.com', contentType: 'text/html' },
  bytes: new Uint8Array(bytes),
});
const readAll = (urls: readonly string[], bytes = 10) => {
  threads = createDocumentThreads(THREAD_URL, { readMs: READ_MS });
  return Promise.allSettled(urls.map((url) => (threads as DocumentThreads).read(page(url, bytes))));
};
const isRead = (url: string, bytes = 10) => ({ status: 'fulfilled', value: { document: { url, bytes } } });

test('reads many pages at once and returns each its result', async () => {
  const urls = Array.from({ length: 50 }, (_none, at) => `/${at}`);
  expect(await readAll(urls)).toMatchObject(urls.map((url) => isRead(url)));
});

test('reads pages that are too large to send ahead one after another', async () => {
  const urls = ['/a', '/b', '/c'];
  expect(await readAll(urls, 3_000_000)).toMatchObject(urls.map((url) => isRead(url, 3_000_000)));
});

test('a page of another owner comes before the waiting pages of one that has pages in the thread', async () => {
  threads = createDocumentThreads(THREAD_URL, { readMs: READ_MS });
  const order: string[] = [];
  const read = async (owner: string, url: string) => {
    await threads?.read({ ...page(url, 3_000_000), owner });
    order.push(url);
  };
  await Promise.all([read('a', '/a1'), read('a', '/a2'), read('a', '/a3'), read('b', '/b1')]);
  expect(order).toEqual(['/a1', '/b1', '/a2', '/a3']);
});

test('reports a hanging page as too slow and reads the ones after it', async () => {
  expect(await readAll(['/a', '/hang', '/b', '/hang-too', '/c'])).toMatchObject([
    isRead('/a'),
    { status: 'fulfilled', value: { document: null, fault: 'too-slow' } },
    isRead('/b'),
    { status: 'fulfilled', value: { document: null, fault: 'too-slow' } },
    isRead('/c'),
  ]);
});

test('a page that fails or ends its thread does not affect the others', async () => {
  const failed = { status: 'rejected', reason: { message: 'no' } };
  const died = { status: 'rejected', reason: { message: 'the document thread ended' } };
  const read = await readAll(['/fail', '/a', '/die', '/b']);
  expect(read).toMatchObject([failed, isRead('/a'), died, isRead('/b')]);
});

test('a prepared thread reads pages, and preparing again does not restart it', async () => {
  threads = createDocumentThreads(THREAD_URL);
  threads.prepare();
  expect(await threads.read(page('/a'))).toMatchObject({ document: { url: '/a' } });
  threads.prepare();
  expect(await threads.read(page('/b'))).toMatchObject({ document: { url: '/b' } });
});

test('close refuses waiting and later reads', async () => {
  threads = createDocumentThreads(THREAD_URL);
  const waiting = expect(threads.read(page('/hang'))).rejects.toThrow('closed');
  await threads.close();
  await waiting;
  await expect(threads.read(page('/a'))).rejects.toThrow('closed');
});
