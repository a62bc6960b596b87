/** The landing page: the server's state, then what it serves and how to log in. */
import { escapeHtml } from '../../escape-html.js';
import { type HtmlPage, htmlPage } from './html-page.js';
import { LANDING_SCRIPT } from './landing-script.js';

export interface LandingOptions {
  readonly version: string;
  /** False with `--auth none`. */
  readonly authenticated: boolean;
}

const PLACES = [
  { href: 'ui', text: 'The dashboard: comparisons, audits, streams and the state of this server.' },
  { href: 'docs', text: 'The API: every operation, its fields, its error codes.' },
  { href: 'openapi.json', text: 'The same, machine-readable, as OpenAPI 3.1.' },
  { href: 'metrics', text: 'Counters and timings in the Prometheus text format.' },
  { href: 'api/ready', text: 'Whether this server is ready for traffic, with every check.' },
  { href: 'api/health', text: 'Whether the process is alive.' },
];

export function landingPage({ version, authenticated }: LandingOptions): HtmlPage {
  return htmlPage({
    title: 'Sonde',
    description: 'Sonde: safe, durable outbound HTTP. What runs on this server and whether it is ready.',
    version,
    script: LANDING_SCRIPT,
    content: `<section class="hero">
<div class="say">
<h1><span>Send it out.</span> <span>Never lose what comes back.</span></h1>
<p class="lead">Safe, durable outbound HTTP. Every request leaves through one guarded egress layer, and every response is
stored before anyone relies on it.</p>
</div>
${STATE}
</section>
<section class="login panel" id="login" aria-live="polite" hidden>
<p class="verdict" id="login-verdict"></p><p class="muted" id="login-detail"></p>
</section>
<div class="columns">
<section aria-labelledby="here"><h2 id="here">What runs here</h2>
<dl class="rows">
<div><dt class="muted">Version</dt><dd class="wire">${escapeHtml(version)}</dd></div>
${PLACES.map(({ href, text }) => `<div><dt><a class="wire" href="${href}">/${href}</a></dt><dd>${text}</dd></div>`).join('\n')}
</dl></section>
${authenticated ? LOGGING_IN : AUTH_OFF}
</div>`,
  });
}

const STATE = `<section class="state panel asking" id="state" aria-live="polite" aria-label="State of this server">
<p class="verdict" id="verdict"><svg class="shape is-info" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
<rect x="1.5" y="1.5" width="13" height="13" rx="2"/></svg><span>Checking the server</span></p>
<p class="muted" id="detail">Its readiness is being read from <span class="wire">/api/ready</span>.</p>
<ul class="checks" id="checks" aria-label="Checks" hidden></ul>
<p class="small muted" id="when" hidden>Checked at <time id="checked"></time></p>
<p id="retry" hidden><button type="button" id="again">Check again</button></p>
<noscript><p class="small">Without scripts, open <a href="api/ready">/api/ready</a> instead.</p></noscript>
</section>`;

const LOGGING_IN = `<section aria-labelledby="in"><h2 id="in">Logging in</h2>
<p><strong>In a browser</strong>, open the login link that the server printed when it started. It works once.</p>
<p><strong>For a program</strong>, mint a token on the server's machine and send it as a bearer token.</p>
<pre class="panel" tabindex="0" aria-label="Command that mints a token"><code>sonde token --scope stream:read</code></pre>
</section>`;

const AUTH_OFF = `<section aria-labelledby="in"><h2 id="in">Authentication is off</h2>
<p>This server runs without authentication. Every user of this machine acts as tenant
<span class="wire">default</span> with every scope.</p>
<p class="muted">Other machines and pages of other sites are refused.</p>
</section>`;
