/** Classifies cookie names: sessions, infrastructure, and names that contain an id. */
const SESSION =
  /sess|sid$|^sid|token|auth|jwt|login|remember|identity|csrf|xsrf|phpsessid|jsessionid|connect\.sid/i;

const INFRASTRUCTURE =
  /^(__cf_bm|_cfuvid|cf_clearance|__cflb|__cfruid|AWSALB.*|AWSELB.*|ARRAffinity.*|incap_ses_.*|visid_incap_.*|nlbi_.*|ak_bmsc|bm_s[vz]|_abck|GCLB|BIGipServer.*|TS[0-9a-f]{6,}|SERVERID|_pxhd|datadome|__Host-GAPS)$/i;

export function isSessionCookie(name: string): boolean {
  return SESSION.test(name);
}

/** Set by a load balancer, CDN or bot filter, not by the application. */
export function isInfrastructureCookie(name: string): boolean {
  return INFRASTRUCTURE.test(name);
}

/** Masks an id in the name (`_ga_8F2K1XQZ`, `sess-1f3a9c…`), which does not distinguish two environments. */
export function cookieNameForm(name: string): string {
  return name.replace(/[0-9a-f]{8,}|\d{4,}|(?<=^_ga_)[A-Z0-9]+$/gi, '*');
}
