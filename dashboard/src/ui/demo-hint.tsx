/** Shown below results of the demo: how to get the same for your own site. */
import { Link } from '@tanstack/react-router';
import { useDemo } from '../api/system';

const PRIVATE = {
  option: '--allow-private ORIGIN',
  use: 'Private addresses need a server that was started with',
};
const HINTS = {
  compare: { to: '/compare/new', text: 'Compare your own environments', ...PRIVATE },
  audit: { to: '/audits/new', text: 'Audit your own site', ...PRIVATE },
  response: {
    to: '/responses/new',
    text: 'Send a request of your own',
    use: 'The server needs a route for it:',
    option: '--proxy-routes',
  },
} as const;

/** `url` is where the result comes from. Nothing is shown unless that is the demo. */
export function DemoHint({ of, url }: { of: keyof typeof HINTS; url: string }) {
  const demo = useDemo();
  if (!demo?.running) return null;
  const { compare, audit, model } = demo;
  const isDemo =
    of === 'response'
      ? url === model.route
      : [compare.left, audit.url].some((known) => url.startsWith(known));
  if (!isDemo) return null;
  const { to, text, use, option } = HINTS[of];
  return (
    <p className="note">
      This is the demo. <Link to={to}>{text}</Link>. {use} <code>{option}</code>.
    </p>
  );
}
