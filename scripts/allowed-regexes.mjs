const BY_GROWTH =
  'Alternatives with a literal prefix each; held to linear time by test/faults/redaction-growth.test.ts.';

/**
 * Regular expressions that `check-regexes.mjs` reports and that stay, each with the reason why no input can make them
 * slow. The key is the file and the text of the expression.
 * @type {ReadonlyMap<string, string>}
 */
export const ALLOWED = new Map([
  [
    'src/audits/extract/decode-html.ts /<meta\\s[^>]*charset\\s*=\\s*["\']?\\s*([^\\s"\'/>;]+)/i',
    'Runs on the first 1,024 bytes of a page.',
  ],
  [
    "src/cli/commands/proxy-send.ts /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*(.*)$/",
    'Runs on an argument of the command line.',
  ],
  ['src/cli/completion/describe-program.ts /<[^>]*(?:FILE|FOLDER)/', "Runs on the program's own flags."],
  [
    'packages/client/src/settings.ts /\\/+$/',
    "Runs on a setting of the page's own code; the client imports nothing.",
  ],
  ['src/compare/origin-map.ts new RegExp in anyOf', 'Alternatives of escaped literals, without quantifiers.'],
  ['src/net/redact/harmless-values.ts /[.,;:!?]+$/', 'Runs on at most 14 characters.'],
  ['src/net/redact/provider-tokens.ts new RegExp in TOKEN', BY_GROWTH],
  ['src/net/redact/provider-tokens.ts new RegExp in WEBHOOK', BY_GROWTH],
]);
