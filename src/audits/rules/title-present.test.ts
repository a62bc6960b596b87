import { describe, expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { titlePresent } from './title-present.js';

const titled = (head: string, body = '') =>
  page('/', { html: `<!doctype html>\n<html><head>\n${head}\n</head><body>${body}</body></html>` });

describe('title.present', () => {
  it('stays silent for one title with text', () => {
    expect(outcomeOf(titlePresent, titled('<title>A page</title>'))).toEqual({ status: 'pass' });
  });

  it('fires for no title, an empty one and a second one, with the line', () => {
    expect(outcomeOf(titlePresent, titled(''))).toMatchObject({ evidence: [{ observed: 'no title' }] });
    expect(outcomeOf(titlePresent, titled('<title> </title>'))).toMatchObject({
      status: 'fail',
      evidence: [{ observed: 'an empty title', line: 3 }],
    });
    expect(outcomeOf(titlePresent, titled('<title>A</title>\n<title>B</title>'))).toMatchObject({
      evidence: [{ element: '<title>B</title>', line: 4 }],
    });
  });

  it('fires for a title in the body, but not for the title of an SVG', () => {
    expect(outcomeOf(titlePresent, titled('', '<title>Late</title>'))).toMatchObject({
      evidence: [{ observed: 'a title outside the head: Late' }],
    });
    const drawing = titled('<title>Page</title>', '<svg><title>Drawing</title></svg>');
    expect(outcomeOf(titlePresent, drawing)).toEqual({ status: 'pass' });
  });

  it('does not apply to responses that are not HTML', () => {
    expect(outcomeOf(titlePresent, page('/file', { status: 404 })).status).toBe('not-applicable');
  });
});
