/** Faults that need more than one page, and still coexist with the others in the large site. */

import { ORIGIN } from '../../audit-facts.js';
import type { Planting } from '../planting.js';

export const SHARED_FAULTS: readonly Planting[] = [
  {
    ...{ rule: 'link.broken-internal', fault: 'a broken link', where: 'shared' },
    plant: (site) => site.link('/faults/gone'),
    at: ['/faults/gone'],
  },
  {
    ...{ rule: 'http.status-ok', fault: 'one page with a server error', where: 'shared' },
    plant: (site) => void site.plant('/faults/broken', { status: 500, inSitemap: false }),
    at: ['/faults/broken'],
  },
  ...[
    ['style', '<link rel="stylesheet" href="/assets/gone.css">'],
    ['script', '<script src="/assets/gone.js" defer></script>'],
    ['image', '<img src="/assets/gone.png" alt="A buoy" width="64" height="48">'],
    ['font', '<style>@font-face{font-family:Sea;src:url(/assets/gone.woff2)}</style>'],
    ['embed', '<iframe src="/assets/gone.html" title="A map"></iframe>'],
  ].map(([kind, markup = '']): Planting => {
    const file = /"?(\/assets\/gone\.\w+)/.exec(markup)?.[1] ?? '';
    return {
      ...{ rule: `asset.broken-${kind}`, fault: `${file} is missing`, where: 'shared', at: [file] },
      plant: (site) => void site.plant(`/faults/asset-${kind}`, { body: [markup] }),
    };
  }),
  {
    ...{ rule: 'asset.broken-font', fault: 'a font that a stylesheet names', where: 'shared' },
    plant(site) {
      site.responses.set('/assets/fonts.css', {
        status: 200,
        headers: { 'content-type': 'text/css; charset=utf-8' },
        body: '@font-face{font-family:Deep;src:url(deep.woff2)}',
      });
      site.plant('/faults/asset-font-in-css', { head: ['<link rel="stylesheet" href="/assets/fonts.css">'] });
    },
    at: ['/assets/deep.woff2'],
  },
  {
    ...{ rule: 'http.redirect-chain', fault: 'two hops', where: 'shared' },
    plant(site) {
      site.redirect('/faults/chain', '/faults/chain-2');
      site.redirect('/faults/chain-2', '/topics/1');
      site.link('/faults/chain');
    },
    at: ['/faults/chain'],
  },
  {
    ...{ rule: 'http.redirect-loop', fault: 'two pages that redirect to each other', where: 'shared' },
    plant(site) {
      site.redirect('/faults/loop', '/faults/loop-2');
      site.redirect('/faults/loop-2', '/faults/loop');
      site.link('/faults/loop');
    },
    at: ['/faults/loop'],
  },
  {
    ...{ rule: 'http.redirect-temporary', fault: 'a 302', where: 'shared' },
    plant(site) {
      site.redirect('/faults/moved', '/topics/1', 302);
      site.link('/faults/moved');
    },
    at: ['/faults/moved'],
  },
  {
    ...{ rule: 'http.cache-static', fault: 'a hashed file without max-age', where: 'shared' },
    plant(site) {
      const headers = { 'content-type': 'text/javascript; charset=utf-8' };
      site.responses.set('/assets/extra.abcdef012345.js', { status: 200, headers, body: 'document.title;' });
      site.plant('/faults/short-cache', {
        head: ['<script src="/assets/extra.abcdef012345.js" defer></script>'],
      });
    },
    at: ['/faults/short-cache'],
  },
  {
    ...{ rule: 'perf.page-weight', fault: 'a heavy image', where: 'shared' },
    plant(site) {
      const headers = { 'content-type': 'image/png' };
      site.responses.set('/assets/heavy.png', { status: 200, headers, body: new Uint8Array(1_700_000) });
      site.plant('/faults/heavy', {
        body: ['<img src="/assets/heavy.png" alt="A whole sea" width="64" height="48">'],
      });
    },
    at: ['/faults/heavy'],
  },
  {
    ...{ rule: 'idx.blocked-by-robots', fault: 'a linked page that robots.txt blocks', where: 'shared' },
    plant: (site) => site.link('/admin/panel'),
    at: ['/admin/panel'],
  },
  {
    ...{ rule: 'idx.canonical-invalid', fault: 'a relative address', where: 'shared' },
    plant: (site) => void site.plant('/faults/relative', { canonical: '/faults/relative' }),
    at: ['/faults/relative'],
  },
  {
    ...{ rule: 'robots.valid', fault: 'a misspelled directive', where: 'shared' },
    plant(site) {
      site.robots += 'Dissalow: /nothing\n';
    },
    at: ['/robots.txt'],
  },
  {
    ...{ rule: 'robots.blocks-assets', fault: 'a blocked script', where: 'shared' },
    plant(site) {
      site.robots = site.robots.replace('Disallow: /admin', 'Disallow: /admin\nDisallow: /closed-assets');
      site.plant('/faults/closed-script', { head: ['<script src="/closed-assets/app.js" defer></script>'] });
    },
    at: ['/closed-assets/app.js'],
  },
  {
    ...{ rule: 'sitemap.valid', fault: 'a relative loc', where: 'shared' },
    plant: (site) => void site.listed.push('/relative'),
    at: ['/sitemap.xml'],
  },
  {
    ...{ rule: 'sitemap.urls-indexable', fault: 'a listed page that is missing', where: 'shared' },
    plant: (site) => void site.listed.push(`${ORIGIN}/faults/listed-and-gone`),
    at: ['/faults/listed-and-gone'],
  },
  {
    ...{ rule: 'title.duplicate', fault: 'two pages with the same title', where: 'shared' },
    plant(site) {
      site.plant('/faults/twin-1', { title: 'One title for two pages' });
      site.plant('/faults/twin-2', { title: 'One title for two pages' });
    },
    at: ['/faults/twin-1'],
  },
  {
    ...{ rule: 'desc.duplicate', fault: 'two pages with the same description', where: 'shared' },
    plant(site) {
      const description = 'One description that stands on two pages, long enough to be none too short.';
      site.plant('/faults/same-1', { description });
      site.plant('/faults/same-2', { description });
    },
    at: ['/faults/same-1'],
  },
  {
    ...{ rule: 'content.duplicate', fault: 'two pages with the same text', where: 'shared' },
    plant(site) {
      site.plant('/faults/copy-1', { seed: 'copy', h1: 'Copied' });
      site.plant('/faults/copy-2', { seed: 'copy', h1: 'Copied' });
    },
    at: ['/faults/copy-1'],
  },
  {
    ...{ rule: 'link.broken-internal', fault: 'a missing fragment', where: 'shared' },
    plant: (site) =>
      void site.plant('/faults/fragment', {
        body: ['<a href="/topics/1#nowhere">A part of the first topic</a>'],
      }),
    at: ['/topics/1#nowhere'],
  },
  {
    ...{ rule: 'link.broken-external', fault: 'a dead link to another site', where: 'shared' },
    plant(site) {
      site.plant('/faults/dead-link', {
        links: ['https://other.example.net/dead', 'https://other.example.net/ok', '/'],
      });
    },
    at: ['https://other.example.net/dead'],
  },
  {
    ...{ rule: 'link.depth', fault: 'pages five and six clicks away', where: 'shared' },
    plant(site) {
      site.link('/deep/1');
      for (let at = 1; at <= 6; at += 1) site.addPage(`/deep/${at}`, '/').links.push(`/deep/${at + 1}`);
      site.pages.get('/deep/6')?.links.pop();
    },
    at: ['/deep/5', '/deep/6'],
  },
  {
    ...{ rule: 'ai.content-signal', fault: 'a signal that is neither yes nor no', where: 'shared' },
    plant(site) {
      site.robots = site.robots.replace(
        'Disallow: /admin',
        'Content-Signal: ai-train=maybe\nDisallow: /admin',
      );
    },
    at: ['/robots.txt'],
  },
  {
    ...{ rule: 'ai.llms-txt', fault: 'a file that says nothing', where: 'shared' },
    plant: (site) =>
      void site.responses.set('/llms.txt', {
        status: 200,
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        body: 'hello',
      }),
    at: ['/llms.txt'],
  },
];
