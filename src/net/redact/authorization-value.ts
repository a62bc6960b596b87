/**
 * Masks an unquoted Authorization value: the scheme's name stays, and everything after it is hidden, be it one token
 * or a list of parameters (Digest, AWS SigV4).
 */

import { type BareSetting, bareEnd, restOfLine } from './bare-value.js';
import { isBlank, isWord, skipBlanks, skipRun } from './char-classes.js';
import { isHarmlessWord } from './harmless-values.js';
import type { Mask } from './mask.js';
import { quoteAt, quotedValue } from './quotes.js';

const KNOWN_SCHEME =
  /^(?:bearer|basic|digest|token|api-?key|aws|aws4-[\w-]{1,32}|negotiate|ntlm|hawk|hmac[\w-]{0,20}|oauth|mac|signature|key|jwt|sharedkey(?:lite)?|dpop|gnap|scram-[\w-]{1,20}|vapid|hoba|mutual|concealed|ssws|sso-key|bot|splunk|genie-?key|zoho-oauthtoken|googlelogin|privatetoken)$/i;
const LIKELY_SCHEME = /^[A-Za-z][A-Za-z-]{1,19}$/;

/** Where the credentials begin after a scheme's name; `start` itself if there is no scheme. */
export function afterScheme(text: string, start: number, likely: boolean): number {
  const end = skipRun(text, start, isWord);
  if (!isBlank(text.charCodeAt(end))) return start;
  const word = text.slice(start, end);
  if (!KNOWN_SCHEME.test(word) && !(likely && LIKELY_SCHEME.test(word))) return start;
  const credentials = skipBlanks(text, end);
  const code = text.charCodeAt(credentials);
  return credentials >= text.length || code < 33 ? start : credentials;
}

export function maskAuthorization(
  text: string,
  start: number,
  setting: BareSetting & { mask: Mask },
): number {
  const credentials = afterScheme(text, start, true);
  const list = parametersEnd(text, credentials);
  if (list > credentials) {
    setting.mask.add(credentials, list);
    return list;
  }
  const run = bareEnd(text, credentials, setting);
  const word = text.slice(start, run);
  if (isHarmlessWord(word) || KNOWN_SCHEME.test(word)) return run;
  if (credentials > start && isHarmlessWord(text.slice(start, skipRun(text, start, isWord)))) return run;
  const end = setting.ownLine ? restOfLine(text, run) : run;
  setting.mask.add(credentials, end);
  return end;
}

/** The end of `name=value, name="value" …`, or `start` if there is no such list. */
function parametersEnd(text: string, start: number): number {
  let end = start;
  let at = start;
  for (;;) {
    const name = skipRun(text, at, isWord);
    if (name === at || name - at > 64 || text.charAt(name) !== '=') return end;
    const value = name + 1;
    const quote = quoteAt(text, value);
    const stop =
      quote === undefined ? skipRun(text, value, isParameterCharacter) : quotedValue(text, value, quote).next;
    // `abc==` and a lone `abc=` are padded tokens, not parameters.
    if (stop === value) return end;
    end = stop;
    const comma = skipBlanks(text, stop, 8);
    if (text.charAt(comma) !== ',') return end;
    at = skipBlanks(text, comma + 1, 8);
  }
}

const isParameterCharacter = (code: number): boolean =>
  code > 32 && code !== 44 && code !== 34 && code !== 39 && code !== 92 && code !== 60;
