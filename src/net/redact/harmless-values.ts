/**
 * Values that stay readable under a credential's name: empty literals, words of an error message
 * ("password: required"), and placeholders. Short on purpose: if in doubt, a value is hidden.
 */
import { wordSet } from '../word-set.js';

const LITERALS = wordSet('null nil none undefined true false NULL None True False nan N/A');

const PROSE = wordSet(`
  required optional missing invalid expired revoked unset empty wrong incorrect mismatch unknown unauthorized forbidden
  denied rejected failed failure error errors ok valid is was are has had must should shall cannot can could may might
  not no too the a an to for of in on at by from with and or if this that your you please use enter yes off
  string str number bool boolean object any unknown latest absent present supported unsupported enabled disabled
  expected unexpected does did do will would it its reset changed updated created deleted found sent received
  include same-origin omit
`);

const VERSION = /^[~^]?\d{1,3}\.\d{1,4}\.\d{1,4}(?:-(?:alpha|beta|rc|next)[\w.]{0,8})?$/;
const PLACEHOLDER = /^\$\{\{?\s?[A-Za-z_][\w.]{0,60}\s?\}?\}$/;
/** `env:OPENAI_API_KEY` is the location of a credential. */
const REFERENCE = /^env:[A-Z][A-Z0-9_]{0,60}$/;

/** `"jsonwebtoken": "^9.0.2"` is a dependency. */
const isVersion = (value: string): boolean => VERSION.test(value);

const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value) || REFERENCE.test(value);

export function isHarmlessLiteral(value: string): boolean {
  return LITERALS.has(value) || isPlaceholder(value) || isVersion(value);
}

/** For a value without quotes, which may be just the next word of a sentence. */
export function isHarmlessWord(value: string): boolean {
  if (isHarmlessLiteral(value)) return true;
  if (value.length > 14) return false;
  return PROSE.has(value.replace(/[.,;:!?]+$/, ''));
}

/** Names of authentication schemes; on their own they stay visible under names that end in `auth`. */
const SCHEMES = wordSet(`
  anonymous apikey api-key api_key api-token basic bearer certificate cookie cram-md5 custom default digest external gss
  gssapi hmac iam internal jwks jwt kerberos key ldap local login md5 mtls negotiate none ntlm oauth oauth1 oauth2 oidc
  openid passkey password plain saml scram scram-sha-1 scram-sha-256 session sigv4 sso sspi tls token trust webauthn
  xoauth2 on off yes no required optional enabled disabled true false 0 1
`);

export const isScheme = (value: string): boolean => SCHEMES.has(value.toLowerCase());

/** Long enough and mixed enough to be a credential rather than a word. */
export function looksOpaque(value: string): boolean {
  if (value.length >= 20) return !/\s/.test(value.slice(0, 64));
  return value.length >= 8 && /\d/.test(value) && /[A-Za-z]/.test(value) && !/\s/.test(value);
}

export const isNumber = (value: string): boolean =>
  value.length <= 32 && /^-?\d[\d._]*(?:e[+-]?\d+)?$/i.test(value);
