/** Checks that the Content-Signal lines of robots.txt can be parsed. */
import { failIfAny, notApplicable, siteRule } from '../rule.js';

const SIGNALS = new Set(['search', 'ai-input', 'ai-train']);

export const aiContentSignal = siteRule({
  id: 'ai.content-signal',
  title: '{n} Content-Signal {line is|lines are} malformed',
  passTitle: 'Content signals are well-formed',
  category: 'ai',
  severity: 'info',
  weight: 1,
  why: 'Crawlers ignore a signal that they cannot parse.',
  fix: 'Write Content-Signal: search=yes, ai-input=yes, ai-train=no with the values you intend.',
  inputs: { site: ['robots'] },
  check({ site: { robots } }) {
    const signals = robots.flatMap(({ contentSignals, fetch }) =>
      contentSignals.map((each) => ({ ...each, url: fetch.url })),
    );
    if (signals.length === 0) return notApplicable('robots.txt has no Content-Signal line');
    return failIfAny(
      signals.flatMap(({ url, value, line }) => {
        const observed = faultOf(value);
        const element = `Content-Signal: ${value}`;
        const expected = 'search, ai-input or ai-train with yes or no';
        return observed === undefined ? [] : [{ url, element, line, observed, expected }];
      }),
    );
  },
});

function faultOf(value: string): string | undefined {
  for (const part of value.split(',')) {
    const [, name = '', given = ''] = /^([\w-]+)\s*=\s*(\S*)$/.exec(part.trim()) ?? [];
    if (!SIGNALS.has(name.toLowerCase())) return `an unknown signal: ${part.trim()}`;
    if (!/^(?:yes|no)$/i.test(given)) return `neither yes nor no: ${part.trim()}`;
  }
  return undefined;
}
