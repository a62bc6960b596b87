import { expect, it } from 'vitest';
import { outcomeOf, page } from '../../../test/support/audit-facts.js';
import { perfRenderBlocking } from './perf-render-blocking.js';

const head = (markup: string) => page('/', { html: `<head>\n${markup}</head>` });

it('fires for a plain script in the head and for a fourth stylesheet', () => {
  expect(outcomeOf(perfRenderBlocking, head('<script src=/a.js></script>'))).toMatchObject({
    status: 'fail',
    evidence: [{ line: 2, element: '<script src="https://www.example.com/a.js">' }],
  });
  const styles = '<link rel=stylesheet href=/a.css>'.repeat(4);
  expect(outcomeOf(perfRenderBlocking, head(styles))).toMatchObject({
    evidence: [{ observed: '4 stylesheets in the head' }],
  });
});

it('stays silent for deferred scripts, modules, inline scripts and three stylesheets', () => {
  const quiet = [
    '<script defer src=/a.js></script><script async src=/b.js></script><script type=module src=/c.js></script>',
    '<script>var a = 1</script>',
    `${'<link rel=stylesheet href=/a.css>'.repeat(3)}<link rel=stylesheet media=print href=/p.css>`,
  ];
  for (const markup of quiet) expect(outcomeOf(perfRenderBlocking, head(markup)).status).toBe('pass');
});
