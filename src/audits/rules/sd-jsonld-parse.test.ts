import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { sdJsonldParse } from './sd-jsonld-parse.js';

const data = (json: string) =>
  page('/', { html: `<head>\n<script type="application/ld+json">${json}</script></head>` });

it('fires for broken JSON with its line, and for a block without context or type', () => {
  expect(outcomeOf(sdJsonldParse, data('{\n"a": 1,}'))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 3 }],
  });
  expect(outcomeOf(sdJsonldParse, data('{"@type":"Thing"}'))).toMatchObject({
    evidence: [{ observed: 'no @context' }],
  });
  expect(outcomeOf(sdJsonldParse, data('{"@context":"https://schema.org"}'))).toMatchObject({
    evidence: [{ observed: 'no @type' }],
  });
});

it('stays silent for valid blocks, lists and graphs', () => {
  const node = '{"@context":"https://schema.org","@type":"Thing"}';
  for (const json of [node, `[${node}]`, '{"@context":"https://schema.org","@graph":[{"@type":"Thing"}]}']) {
    expect(outcomeOf(sdJsonldParse, data(json)).status).toBe('pass');
  }
  expect(outcomeOf(sdJsonldParse, page('/', { html: '<p>x</p>' })).status).toBe('not-applicable');
});
