/** The table of exit codes with their meanings, and the exit code of each error. */
import type { SondeError } from '../errors.js';

export const EXIT_CODES = {
  success: { code: 0, meaning: 'success' },
  findings: {
    code: 1,
    meaning: 'it ran and found something: findings at or above the threshold, or failing cases',
  },
  usage: { code: 2, meaning: 'wrong usage or configuration; nothing was done' },
  target: { code: 3, meaning: 'the target cannot be reached, or the result is inconclusive' },
  server: { code: 4, meaning: 'a server, API or internal error' },
  interrupted: { code: 130, meaning: 'interrupted' },
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]['code'];

/** Upper-case codes that the caller caused and that do not come from an API response. */
const OWN_USAGE: ReadonlySet<string> = new Set([
  'USAGE',
  'FILE_UNREADABLE',
  'FILE_UNWRITABLE',
  'ENVELOPE_INVALID',
  'HAR_INVALID',
  'CONFIG_UNKNOWN_KEY',
  'CONFIG_INVALID_VALUE',
  'CONFIG_UNREADABLE',
  'SECRETS_UNUSABLE',
]);

export function exitCodeOf(error: SondeError): ExitCode {
  if (error.code === 'canceled') return EXIT_CODES.interrupted.code;
  if (error.facts.fault === 'target') return EXIT_CODES.target.code;
  const isAboutRequest = error.code === error.code.toLowerCase();
  const isUsage = error.facts.fault === 'caller' && (isAboutRequest || OWN_USAGE.has(error.code));
  return isUsage ? EXIT_CODES.usage.code : EXIT_CODES.server.code;
}

export const exitCodeLines = (): string[] =>
  Object.values(EXIT_CODES).map(({ code, meaning }) => `${String(code).padStart(5)}  ${meaning}`);
