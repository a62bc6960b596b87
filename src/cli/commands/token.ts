/** `sonde token`: mints a service JWT and prints nothing else, so that `$(sonde token …)` works. */
import type { Command } from 'commander';
import { parseMs } from '../../config/parse-units.js';
import { SondeError } from '../../errors.js';
import { TENANT_SCOPES } from '../../scopes.js';
import { type CliContext, printResult } from '../cli-context.js';
import { collect } from '../header-options.js';
import { loadSettings } from '../load-settings.js';
import type { TokenRequest } from '../ports.js';
import { addSettingOptions } from '../setting-options.js';

interface TokenOptions {
  readonly tenant?: string;
  readonly scope?: readonly string[];
  readonly route?: readonly string[];
  readonly path?: readonly string[];
  readonly operator?: boolean;
  readonly expires: string;
}

const EXPIRES_MS_MAX = 366 * 86_400_000;

const namesIn = (given: readonly string[]): string[] => [
  ...new Set(given.flatMap((each) => each.split(/[\s,]+/)).filter(Boolean)),
];

function readRequest(options: TokenOptions): TokenRequest {
  const { tenant, scope = [], route = [], path: paths = [], operator = false, expires } = options;
  const ms = parseMs(expires);
  if (ms === undefined || ms < 1000 || ms > EXPIRES_MS_MAX) {
    throw new SondeError('USAGE', `--expires: expected a time from 1s to 366d such as 24h, got "${expires}"`);
  }
  const expiresInSeconds = Math.floor(ms / 1000);
  if (operator) {
    if (tenant === undefined && [...scope, ...route, ...paths].length === 0)
      return { operator, expiresInSeconds };
    throw new SondeError('USAGE', '--operator cannot be combined with --tenant, --scope, --route or --path');
  }
  const routes = namesIn(route);
  // A route is of no use without this scope.
  const scopes = namesIn(scope.length === 0 && routes.length > 0 ? ['proxy:create'] : scope);
  if (scopes.length === 0) {
    throw new SondeError('USAGE', '--scope is required: what the token may do', {
      details: {
        hint: 'for example --scope stream:read --scope stream:write; sonde token --help lists them',
      },
    });
  }
  return {
    tenant: tenant ?? 'default',
    scopes,
    ...(routes.length > 0 && { routes }),
    ...(paths.length > 0 && { paths: [...new Set(paths)] }),
    expiresInSeconds,
  };
}

export function addToken(parent: Command, context: CliContext): void {
  const command = parent
    .command('token')
    .description('mint a service token for the API')
    .option('--tenant <SLUG>', 'tenant that the token acts for (default: default)')
    .option(
      '--scope <SCOPE,…>',
      `what the token may do; repeat or separate with commas: ${TENANT_SCOPES.join(', ')}`,
      collect,
    )
    .option(
      '--route <NAME,…>',
      'route whose key on the server the token may use; repeat or separate with commas (without --scope: proxy:create)',
      collect,
    )
    .option(
      '--path <RULE>',
      "request that the token may send through routes, such as 'POST /v1/chat/completions'; may be repeated (default: every one)",
      collect,
    )
    .option('--operator', 'operator token: metrics and readiness details, no tenant')
    .option('--expires <TIME>', 'how long the token is valid', '24h')
    .action(async (options: TokenOptions, self: Command) => {
      const request = readRequest(options);
      const { settings } = await loadSettings(context, self);
      const token = await context.runtime.mintToken(settings, request);
      await printResult(context, { token, ...request }, token);
    });
  addSettingOptions(command, ['server.data', 'auth.jwtSecret', 'auth.jwks', 'auth.issuer', 'auth.audience']);
}
