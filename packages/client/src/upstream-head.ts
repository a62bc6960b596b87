/** The upstream's status and headers, as reported by the server. */
import type { ServerCall } from './server-call.js';

export interface UpstreamHead {
  readonly status: number;
  readonly headers: Headers;
}

export function upstreamHead({ header }: Pick<ServerCall, 'header'>): UpstreamHead {
  const headers = new Headers();
  for (const [name, value] of decodePairs(header('upstream-headers'))) {
    try {
      headers.append(name, value);
    } catch {
      // The platform does not accept this name or value.
    }
  }
  return { status: Number(header('upstream-status')), headers };
}

function decodePairs(text: string | null): [string, string][] {
  const binary = atob((text ?? 'W10').replace(/-/g, '+').replace(/_/g, '/'));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
}

export function isBodiless({ status }: UpstreamHead): boolean {
  return status === 204 || status === 205;
}

export function responseOf(head: UpstreamHead, url: string, body: BodyInit | null): Response {
  const response = new Response(isBodiless(head) ? null : body, head);
  // SDKs read the response's URL, which only a real fetch can set.
  return Object.defineProperty(response, 'url', { value: url });
}
