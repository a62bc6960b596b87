/**
 * The words that mark a key's value as a credential, and the words after them that mark a mere description of one
 * (`password_policy`, `token_type`). Data only; `classify-key.ts` uses it.
 */
const list = (words: string): ReadonlySet<string> => new Set(words.split(',').map((word) => word.trim()));

/** A key that contains one of these words holds a credential, unless a descriptor ends the key. */
export const SECRET_WORDS = list(
  `password, passwd, passphrase, passcode, passwort, kennwort, pwd, pw, secret, token, credential, credentials,
  cred, creds, authorization, cookie, signature, sig, hmac, otp, totp, mnemonic, cvv, cvc, bearer, sessid, phpsessid,
  jsessionid, pincode, authtoken, samlresponse, xsrf, csrf`,
);

/** The same for two consecutive words; the second may have a plural `s`. */
export const SECRET_PAIRS = list(
  `api key, access key, secret key, private key, priv key, signing key, sign key, encryption key, decryption key,
  master key, auth key, account key, shared key, subscription key, service key, app key, application key, ssh key,
  storage key, session key, consumer key, client key, deploy key, webhook key, jwt key, hmac key, admin key, root key,
  functions key, function key, license key, licence key, cipher key, crypto key, aes key, rsa key, symmetric key,
  integration key, role key, rapidapi key, fastly key, write key, user key, server key, session id, secret id, access token, connection string, conn string,
  conn str, connection str, pin code, auth code, authorization code, device code, verification code, security code,
  confirmation code, mfa code, otp code, two factor, recovery code, backup code, login code, sms code, code verifier,
  seed phrase, recovery phrase, pass phrase, pass word, pass code, client assertion, saml response, saml assertion, user pin, card pin, sim pin,
  refresh token, id token, auth token, bearer token, api token, session token, csrf token, deploy token, connect sid`,
);

/** Names that mean a credential only as a whole; longer names with these words are everyday ones. */
export const SECRET_EXACT = list('pin, pass, auth pass, x pass, db pass, user pass, smtp pass, mail pass');

/** Endings of names without word boundaries: `dbpassword`, `APIKEY`, `accesstoken`. */
export const SECRET_ENDING =
  /(?:password|passwd|passphrase|passcode|secret|token|apikey|secretkey|accesskey|privatekey|privkey|signingkey|encryptionkey|authkey|accountkey|sharedkey|masterkey|sessionid|sessid|credentials?|authorization|connectionstring|(?:db|user|my|smtp|mail|root|admin|redis|pg|ssh|ftp|mysql|proxy)(?:pass|pwd))$/;

/** Suffixes of keys whose value describes a credential but is not one. */
export const DESCRIPTORS = list(
  `url, uri, urls, uris, link, href, endpoint, endpoints, path, paths, file, filename, dir, directory, count, counts,
  total, length, len, size, min, max, limit, limits, quota, usage, used, budget, rate, bucket, policy, policies, rule,
  rules, type, types, kind, name, names, label, title, description, desc, expires, expiry, expiration, expired, exp, at,
  in, ttl, age, lifetime, duration, time, timestamp, date, issued, created, updated, changed, required, optional,
  enabled, disabled, allowed, supported, valid, invalid, validity, status, state, method, methods, algorithm, alg,
  scheme, format, version, hint, strength, score, attempts, retries, reset, field, fields, input, column, param,
  parameter, prefix, suffix, placeholder, regex, pattern, provider, issuer, audience, scope, scopes, id, ids, index,
  position, offset, bar, banner, consent, notice, jar, settings, preferences, manager, store, rotation, rotated, ref,
  reference, arn, source, mode, present, exists, missing, found, error, errors, message, reason, owner, user, username,
  email, class, service, server, servers, host, port, region, domain, samesite, secure, httponly, parser, lexer,
  address, symbol, price, amount, balance, request, requests, response, refreshed, revoked, rejected, needed, options,
  config, schema, template, law, accepted, entropy, details, hashing, less, protection, check, fingerprint, thumbprint`,
);

/** Whole names that look like credentials but are not. */
export const SAFE_NAMES = list(
  `access control allow credentials, bos token, eos token, pad token, unk token, sep token, cls token, mask token,
  stop token, end token, start token, special token, public key token, password manager, token in, token out`,
);

/** Names whose value is hidden only if it looks like a credential: `session=9f3c…` but not `session=active`. */
export const OPAQUE_NAMES = list('session, sid, jwt, ticket, saml');

/** The last word of names such as `basic_auth` and `proxyauth`. */
export const AUTH_ENDING = /auth$/;

/** An environment variable that ends in KEY and is not the key of a table or a cache. */
export const ENV_KEY =
  /^(?!\w*(?:PUBLIC|PUBLISHABLE|PRIMARY|FOREIGN|CACHE|SORT|PARTITION|IDEMPOTENCY|INDEX|LOOKUP|ANON|SOCKET))[A-Z][A-Z0-9_]{0,60}_KEY$/;

/** Names under which a number is a count, as under the plural of any secret word. */
export const COUNTED_WORDS = list('pass');

/** Words before `tokens` that make it the unit of a language model, not a credential. */
export const TOKEN_COUNTS = list(
  `prompt, completion, input, output, total, max, maximum, min, minimum, cached, reasoning, thinking, context, used,
  remaining, generated, new, num, number, n, billed, accepted, rejected, prediction, audio, text, image, special, stop,
  added, extra, bos, eos, pad, mask`,
);

/** Header names that may follow a credential's name in a plain list of names. */
export const HEADER_NAMES = list(
  `accept, accept-encoding, accept-language, cache-control, connection, content-encoding, content-language,
  content-length, content-type, date, etag, expect, expires, forwarded, from, host, idempotency-key, if-match,
  if-modified-since, if-none-match, if-unmodified-since, last-modified, link, location, origin, pragma, range, referer,
  retry-after, server, te, trailer, transfer-encoding, upgrade, user-agent, vary, via, www-authenticate, x-request-id,
  x-requested-with, x-forwarded-for, x-forwarded-host, x-forwarded-proto, x-real-ip, traceparent, username, user, email`,
);
