/** Text without halves of surrogate pairs, which `encodeURIComponent` and `encodeURI` refuse. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
