import { describe, expect, it } from 'vitest';
import { page } from '../../../test/support/audit-facts.js';
import { FRONTIER_LIMITS, Frontier } from './frontier.js';

const HOME = 'https://www.example.com/';
const opened = (limits: Partial<{ pages: number; depth: number }> = {}) => {
  const frontier = new Frontier({ domain: 'example.com', pages: 100, depth: 3, ...limits });
  frontier.note(HOME);
  return frontier;
};
const linking = (...hrefs: string[]) =>
  page('/', { html: hrefs.map((href) => `<a href="${href}">x</a>`).join('') });
const paths = (frontier: Frontier, count = 20) =>
  frontier.take(count).map(({ url }) => url.replace(HOME, '/'));

describe('the frontier', () => {
  it('goes breadth first and visits each URL once, ignoring fragments and spelling', () => {
    const frontier = opened();
    frontier.addPage(linking('/b', '/a#x', '/a', 'https://WWW.example.com:443/%61', '/'), 0);
    expect(paths(frontier)).toEqual(['/b', '/a']);
  });

  it('stays within the site and its subdomains, and skips files and nofollow links', () => {
    const frontier = opened();
    frontier.addPage(
      linking('https://blog.example.com/x', 'https://example.net/', '/doc.pdf', 'mailto:a@b.c'),
      0,
    );
    frontier.addPage(page('/', { html: '<a rel="nofollow" href="/hidden">x</a>' }), 0);
    frontier.addPage(page('/', { html: '<meta name="robots" content="nofollow"><a href="/also">x</a>' }), 0);
    expect(paths(frontier)).toEqual(['https://blog.example.com/x']);
  });

  it('takes URLs that only a sitemap lists when links run out', () => {
    const frontier = opened();
    frontier.addListed(`${HOME}listed`, `${HOME}sitemap.xml`);
    frontier.addPage(linking('/linked'), 0);
    expect(frontier.take(5)).toMatchObject([{ foundBy: 'link' }, { foundBy: 'sitemap', depth: null }]);
  });

  it('limits pages, depth and variants of a path', () => {
    const few = opened({ pages: 3 });
    few.addPage(linking('/1', '/2', '/3', '/4'), 0);
    expect(paths(few)).toEqual(['/1', '/2']);
    expect(few.waiting).toBe(2);
    const shallow = opened({ depth: 1 });
    shallow.addPage(linking('/deep'), 1);
    expect([paths(shallow), shallow.leftByDepth]).toEqual([[], 1]);
    const enough = opened({ depth: 1 });
    enough.addPage(linking('/near'), 0);
    expect([paths(enough), enough.leftByDepth]).toEqual([['/near'], 0]);
    const calendar = opened({ pages: 1000 });
    calendar.addPage(linking(...Array.from({ length: 80 }, (_, day) => `/cal?day=${day}`)), 0);
    expect(paths(calendar, 1000)).toHaveLength(FRONTIER_LIMITS.variantsPerPath);
  });

  it('limits the number of origins, and stays on those it knows', () => {
    const frontier = opened();
    const hosts = Array.from({ length: FRONTIER_LIMITS.origins + 5 }, (_, n) => `https://h${n}.example.com`);
    frontier.addPage(linking(...hosts.map((host) => `${host}/a`)), 0);
    frontier.addPage(linking(...hosts.map((host) => `${host}/b`)), 0);
    const taken = paths(frontier, 1000);
    // The start URL has an origin of its own.
    expect(new Set(taken.map((url) => new URL(url).origin)).size).toBe(FRONTIER_LIMITS.origins - 1);
    expect(taken).toHaveLength(2 * (FRONTIER_LIMITS.origins - 1));
  });

  it('never requests a URL that contains a secret', () => {
    const frontier = opened();
    frontier.addPage(linking('/x?access_token=s3cr3t-t0ken-value-0123456789', '/y'), 0);
    expect(paths(frontier)).toEqual(['/y']);
  });
});
