/** Validates language tags (BCP 47) that are well-formed by RFC 5646 §2.1, as allowed for the language of a page. */
const TAG =
  /^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4}|[a-z]{5,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*(?:-[a-wy-z0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?|x(?:-[a-z0-9]{1,8})+|i-[a-z]{3,8})$/i;

export function isLanguageTag(text: string): boolean {
  return text.length <= 64 && TAG.test(text);
}

/** A language with at most a script and a region, as search engines accept in hreflang. */
const HREFLANG = /^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/i;
/** Common mistakes that are not regions. */
const INVALID_REGIONS = new Set(['uk', 'en', 'eu', 'un']);

export function isHreflang(text: string): boolean {
  if (text.toLowerCase() === 'x-default') return true;
  const region = /-([a-z]{2})$/i.exec(text)?.[1]?.toLowerCase() ?? '';
  return HREFLANG.test(text) && !INVALID_REGIONS.has(region);
}
