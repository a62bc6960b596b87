/** What delivering a webhook needs of its host: a key that signs, a box for its URL, and a guarded way out. */

/** An Ed25519 key, whose private half stays behind this. */
export interface WebhookSigner {
  readonly publicJwk: WebhookPublicJwk;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

export interface WebhookPublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  /** Begins with `ds_`. */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** Keeps what must not rest in clear. What was sealed for one `owner` opens for no other. */
export interface SecretBox {
  seal(text: string, owner: string): Promise<string>;
  /** Undefined for what was sealed under another key or for another owner, or has been changed. */
  open(sealed: string, owner: string): Promise<string | undefined>;
}

export interface WebhookCall {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

/** The only way a webhook leaves. Bounds time and response itself, and follows no redirect. */
export interface WebhookSender {
  /** Why the URL's text alone is reason to refuse it; undefined if it is none. Asks no DNS. */
  refusal(url: string): { readonly rule: string; readonly message: string } | undefined;
  /** Rejects with a coded error where no response came; any status is a response. */
  deliver(call: WebhookCall): Promise<{ readonly status: number; readonly body: Uint8Array }>;
}
