/** The ports that webhook delivery needs from its host: a signing key, a box for sealed URLs, and a guarded sender. */

/** An Ed25519 key. The private key stays behind this interface. */
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

/** Encrypts texts that must not be stored in plaintext. A text sealed for one `owner` opens for no other. */
export interface SecretBox {
  seal(text: string, owner: string): Promise<string>;
  /** Returns undefined if it was sealed with another key or for another owner, or was changed. */
  open(sealed: string, owner: string): Promise<string | undefined>;
}

export interface WebhookCall {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

/** The only way to send a webhook. It limits the time and the response size, and follows no redirects. */
export interface WebhookSender {
  /** Why the URL is refused by its text alone, without DNS; undefined if it is not. */
  refusal(url: string): { readonly rule: string; readonly message: string } | undefined;
  /** Rejects with a coded error if there is no response. Any status is a response. */
  deliver(call: WebhookCall): Promise<{ readonly status: number; readonly body: Uint8Array }>;
}
