/** Below results of the demo: how to get the same of one's own. */
import { Link } from '@tanstack/react-router';
import { useDemo } from '../api/system';

const HINTS = {
  compare: [
    '/compare/new',
    'Compare your own environments',
    'with --allow-private ORIGIN if they are on a private address',
  ],
  audit: ['/audits/new', 'Audit your own site', 'with --allow-private ORIGIN if it is on a private address'],
  response: ['/responses/new', 'Send a request of your own', 'through a route of --proxy-routes'],
} as const;

/** `url`: where the result comes from. Nothing is shown unless that is the demo. */
export function DemoHint({ of, url }: { of: keyof typeof HINTS; url: string }) {
  const demo = useDemo();
  if (!demo?.running) return null;
  const { compare, audit, model } = demo;
  const isDemo =
    of === 'response'
      ? url === model.route
      : [compare.left, audit.url].some((known) => url.startsWith(known));
  if (!isDemo) return null;
  const [to, text, how] = HINTS[of];
  return (
    <p className="note">
      This is the demo. <Link to={to}>{text}</Link>; start the server {how}.
    </p>
  );
}
