/** All plantings; at least one for every rule. */
import { ORIGIN } from '../audit-facts.js';
import type { Planting } from './planting.js';

export const PLANTINGS: readonly Planting[] = [
  {
    rule: 'title.present',
    fault: 'a page without a title',
    where: 'shared',
    plant: (site) => site.plant('/faults/no-title', { title: null }),
    at: ['/faults/no-title'],
  },
  {
    rule: 'title.length',
    fault: 'a title of seven characters',
    where: 'shared',
    plant: (site) => site.plant('/faults/short-title', { title: 'A title' }),
    at: ['/faults/short-title'],
  },
  {
    rule: 'title.duplicate',
    fault: 'two pages with one title',
    where: 'shared',
    plant(site) {
      site.plant('/faults/twin-1', { title: 'One title for two pages' });
      site.plant('/faults/twin-2', { title: 'One title for two pages' });
    },
    at: ['/faults/twin-1'],
  },
  {
    rule: 'img.alt',
    fault: 'an image without alt',
    where: 'shared',
    plant: (site) =>
      site.plant('/faults/no-alt', {
        image: '<img src="/assets/photo.0123456789ab.png" width="64" height="48">',
      }),
    at: ['/faults/no-alt'],
  },
  {
    rule: 'idx.noindex',
    fault: 'a linked page with noindex',
    where: 'shared',
    plant: (site) =>
      site.plant('/faults/noindex', { head: ['<meta name="robots" content="noindex">'], inSitemap: false }),
    at: ['/faults/noindex'],
  },
  {
    rule: 'idx.noindex',
    fault: 'a home page with noindex',
    where: 'own',
    plant(site) {
      const home = site.pages.get('/');
      home?.head.push('<meta name="robots" content="noindex">');
      if (home) home.inSitemap = false;
    },
    at: ['/'],
    gate: 40,
  },
  {
    rule: 'idx.blocked-by-robots',
    fault: 'a linked page that robots.txt closes',
    where: 'shared',
    plant: (site) => site.link('/admin/panel'),
    at: ['/admin/panel'],
  },
  {
    rule: 'http.soft-404',
    fault: 'every missing page answers 200',
    where: 'own',
    plant(site) {
      site.intercept = ({ path, host, scheme }) => {
        const known =
          site.pages.has(path) ||
          site.answers.has(path) ||
          scheme === 'http' ||
          host !== new URL(ORIGIN).host;
        if (known || site.pages.has(path.replace(/\/$/, ''))) return undefined;
        return {
          status: 200,
          headers: { 'content-type': 'text/html; charset=utf-8' },
          body: '<p>Nothing here',
        };
      };
    },
    at: [],
  },
  {
    rule: 'http.ttfb',
    fault: 'a page that takes a second to begin',
    where: 'shared',
    plant: (site) => site.plant('/faults/slow', { delayMs: 900 }),
    at: ['/faults/slow'],
  },
];
