import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { httpMetaRefresh } from './http-meta-refresh.js';

it('fires for a refresh, with its line', () => {
  const html = '<head>\n<meta http-equiv=Refresh content="0; url=/b"></head>';
  expect(outcomeOf(httpMetaRefresh, page('/', { html }))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2, observed: '0; url=/b' }],
  });
});

it('stays silent for other http-equiv metas', () => {
  const html = '<head><meta http-equiv="content-type" content="text/html"></head>';
  expect(outcomeOf(httpMetaRefresh, page('/', { html })).status).toBe('pass');
});
