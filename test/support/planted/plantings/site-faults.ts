/** Faults that affect a whole site; each gets a small origin. */

import { ORIGIN } from '../../audit-facts.js';
import type { Planting } from '../planting.js';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

export const SITE_FAULTS: readonly Planting[] = [
  {
    ...{ rule: 'http.soft-404', fault: 'every missing page returns 200', where: 'own', at: [] },
    plant(site) {
      site.intercept = ({ path, host, scheme }) => {
        const elsewhere = scheme === 'http' || host !== new URL(ORIGIN).host;
        if (elsewhere || site.responses.has(path) || site.pages.has(path.replace(/(?<=.)\/$/, '')))
          return undefined;
        return { status: 200, headers: HTML, body: '<p>Nothing here' };
      };
    },
  },
  {
    ...{ rule: 'http.host-variants', fault: 'every spelling of the host responds', where: 'own' },
    plant(site) {
      site.settles = false;
    },
    at: ['http://example.com/', 'https://example.com/', 'http://www.example.com/'],
    also: { 'sec.https': ['http://www.example.com/'] },
  },
  {
    ...{
      rule: 'http.trailing-slash-dup',
      fault: 'a page under both spellings',
      where: 'own',
      at: ['/topics/1/'],
    },
    plant(site) {
      site.intercept = (asked) =>
        asked.path === '/topics/1/' ? site.respond({ ...asked, path: '/topics/1' }) : undefined;
    },
  },
  {
    ...{ rule: 'http.version', fault: 'http/1.1 only', where: 'own', at: ['/'] },
    plant(site) {
      site.h2 = false;
    },
  },
  {
    ...{
      rule: 'http.cache-html-validators',
      fault: 'a home page without validators',
      where: 'own',
      at: ['/'],
    },
    plant(site) {
      Object.assign(site.pages.get('/')?.headers ?? {}, { etag: '' });
    },
  },
  {
    ...{ rule: 'idx.noindex', fault: 'a home page with noindex', where: 'own', at: ['/'], gate: 40 },
    plant(site) {
      const home = site.pages.get('/');
      home?.head.push('<meta name="robots" content="noindex">');
      if (home) home.inSitemap = false;
    },
  },
  {
    ...{
      rule: 'http.status-ok',
      fault: 'a server error on more than a tenth of the pages',
      where: 'own',
      at: ['/broken'],
      gate: 50,
    },
    plant: (site) => void site.plant('/broken', { status: 500, inSitemap: false }),
  },
  {
    ...{ rule: 'http.status-ok', fault: 'a forbidden home page', where: 'own', at: ['/'], gate: 40 },
    plant(site) {
      Object.assign(site.pages.get('/') ?? {}, { status: 403, inSitemap: false });
      for (const page of site.pages.values())
        if (page.path !== '/') page.links = ['/topics/1/article-1', '/topics/1'];
      site.pages.get('/topics/1')?.links.push(...[...site.pages.keys()].filter((path) => path !== '/'));
    },
  },
  {
    ...{ rule: 'robots.reachable', fault: 'a robots.txt that moved', where: 'own', at: ['/robots.txt'] },
    plant(site) {
      site.responses.set('/robots-file.txt', { status: 200, headers: TEXT, body: site.robots });
      site.redirect('/robots.txt', '/robots-file.txt');
    },
  },
  {
    ...{ rule: 'sitemap.present', fault: 'no sitemap', where: 'own', at: ['/sitemap.xml'] },
    plant(site) {
      site.responses.delete('/sitemap.xml');
      site.robots = 'User-agent: *\nDisallow: /admin\n';
    },
  },
  {
    ...{
      rule: 'sec.https',
      fault: 'http responds without a redirect',
      where: 'own',
      at: ['http://www.example.com/'],
    },
    plant(site) {
      site.intercept = ({ scheme, host }) =>
        scheme === 'http' && host === 'www.example.com'
          ? { status: 200, headers: HTML, body: '<p>Plain' }
          : undefined;
    },
    also: { 'http.host-variants': ['http://www.example.com/'] },
  },
  {
    ...{ rule: 'sec.hsts', fault: 'no header', where: 'own', at: ['/'] },
    plant: (site) => void delete site.headers['strict-transport-security'],
  },
  {
    ...{ rule: 'sec.headers', fault: 'no policy', where: 'own', at: ['/'] },
    plant: (site) => void delete site.headers['content-security-policy'],
  },
  {
    ...{ rule: 'sec.leaks', fault: 'a readable .env', where: 'own', at: ['/.env'], gate: 40 },
    plant: (site) =>
      void site.responses.set('/.env', { status: 200, headers: TEXT, body: 'DATABASE_URL=postgres://db\n' }),
  },
  {
    ...{ rule: 'sec.source-maps', fault: 'a readable source map', where: 'own' },
    plant: (site) =>
      void site.responses.set('/assets/app.0123456789ab.js.map', {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"version":3,"sources":["app.ts"],"mappings":""}',
      }),
    at: ['/assets/app.0123456789ab.js.map'],
  },
  {
    ...{ rule: 'sec.server-version', fault: 'a version in Server', where: 'own', at: ['/'] },
    plant(site) {
      site.headers['server'] = 'nginx/1.22.1';
    },
  },
  {
    ...{ rule: 'ai.crawler-access', fault: 'a training bot is blocked', where: 'own', at: ['/robots.txt'] },
    plant(site) {
      site.robots += '\nUser-agent: GPTBot\nDisallow: /\n';
    },
  },
  {
    ...{ rule: 'ai.search-bot-blocked', fault: 'a search bot gets 403', where: 'own', at: ['/'] },
    plant(site) {
      site.intercept = ({ userAgent }) =>
        userAgent.includes('OAI-SearchBot') ? { status: 403, headers: HTML } : undefined;
    },
  },
];
