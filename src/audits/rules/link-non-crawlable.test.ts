import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { linkNonCrawlable } from './link-non-crawlable.js';

it('fires for links without a URL, with a script, and for elements that only act as links', () => {
  const html =
    '<a>none</a>\n<a href="javascript:go()">script</a>\n<span role="link" onclick="go()">span</span>';
  expect(outcomeOf(linkNonCrawlable, page('/', { html }))).toMatchObject({
    status: 'fail',
    evidence: [
      { line: 1, observed: 'no href' },
      { line: 2, observed: 'a script as its URL' },
      { line: 3, observed: 'an element that acts as a link' },
    ],
  });
});

it('stays silent for URLs of every kind and for fragment targets', () => {
  const html = '<a href="/a">a</a><a href="#b">b</a><a name="c"></a><a href="mailto:a@example.com">m</a>';
  expect(outcomeOf(linkNonCrawlable, page('/', { html })).status).toBe('pass');
});
