import { expect, it } from 'vitest';
import type { RobotsFile, SitemapEntry } from '../facts/site-facts.js';
import type { ReadSitemap } from './read-sitemap.js';
import { SITEMAP_QUEUE_LIMITS, SitemapQueue } from './sitemap-queue.js';

const ORIGIN = 'https://www.example.com';
const urls = (count: number) => Array.from({ length: count }, (_, at) => `${ORIGIN}/s${at}.xml`);
const naming = (all: readonly string[]) =>
  ({ sitemaps: all.map((url) => ({ url, line: 1 })) }) as unknown as RobotsFile;
const read = (children: readonly string[], entries = 0): ReadSitemap =>
  ({
    facts: { url: `${ORIGIN}/index.xml` },
    children,
    entries: Array.from(
      { length: entries },
      (): SitemapEntry => ({ url: '', lastmod: null, sitemap: '', line: 1 }),
    ),
  }) as unknown as ReadSitemap;

function started(robots?: RobotsFile): SitemapQueue {
  const queue = new SitemapQueue(ORIGIN);
  queue.start(robots);
  return queue;
}

it('starts with the files that robots.txt names, else with the default place', () => {
  const robots = naming([`${ORIGIN}/a.xml`, `${ORIGIN}/b.xml`, `${ORIGIN}/a.xml`]);
  const foundOn = `${ORIGIN}/robots.txt`;
  expect(started(robots).take(5)).toEqual([
    { url: `${ORIGIN}/a.xml`, foundBy: 'robots', foundOn },
    { url: `${ORIGIN}/b.xml`, foundBy: 'robots', foundOn },
  ]);
  const usual = [{ url: `${ORIGIN}/sitemap.xml`, foundBy: 'default-place', foundOn: null }];
  expect([started().take(5), started(naming([])).take(5)]).toEqual([usual, usual]);
});

it('returns each file once, and then those that an index names', () => {
  const queue = started();
  expect([queue.take(1).length, queue.take(1).length]).toEqual([1, 0]);
  queue.apply(queue.part([read([`${ORIGIN}/sitemap.xml`, `${ORIGIN}/c.xml`])]));
  expect(queue.take(5)).toEqual([
    { url: `${ORIGIN}/c.xml`, foundBy: 'index', foundOn: `${ORIGIN}/index.xml` },
  ]);
});

it('reads at most 50 files per audit, and keeps as many per index', () => {
  const { files } = SITEMAP_QUEUE_LIMITS;
  expect(files).toBe(50);
  expect(started(naming(urls(files + 1))).take(100)).toHaveLength(files);
  expect(started().part([read(urls(files + 1))]).files[0]?.children).toHaveLength(files);
});

it('keeps 50,000 entries over all files, and reports truncation', () => {
  const queue = started();
  const first = queue.part([read([], 49_999)]);
  expect([first.entries.length, first.entriesCut]).toEqual([49_999, false]);
  queue.apply(first);
  const second = queue.part([read([], 1), read([], 1)]);
  expect([second.entries.length, second.entriesCut]).toEqual([1, true]);
  queue.apply(second);
  const third = queue.part([read([], 2)]);
  expect([third.entries.length, third.entriesCut]).toEqual([0, true]);
});
