/**
 * The secrets currently in use, and one search for all their encoded forms. The number is bounded: when full, the
 * oldest is dropped. Secrets under six characters are ignored, because hiding them would hide ordinary words, and so
 * are parts of the mask itself, because hiding them would change text that is already masked.
 */
import { encodedForms } from './encoded-forms.js';
import { FormIndex } from './form-index.js';
import { MASK, type Mask } from './mask.js';

export const LIVE_SECRETS_MAX = 1_000;
const LIVE_SECRET_MIN = 6;

interface LiveSecret {
  uses: number;
  readonly forms: readonly string[];
}

export class LiveSecrets {
  readonly #secrets = new Map<string, LiveSecret>();
  readonly #index = new FormIndex();

  protect(secret: string): () => void {
    if (secret.length < LIVE_SECRET_MIN || MASK.includes(secret)) return () => {};
    const known = this.#secrets.get(secret);
    if (known === undefined) this.#add(secret);
    else known.uses += 1;
    let held = true;
    return () => {
      if (held) this.#release(secret);
      held = false;
    };
  }

  mask(text: string, mask: Mask): void {
    if (this.#secrets.size > 0) this.#index.mask(text, mask);
  }

  #add(secret: string): void {
    const forms = encodedForms(secret);
    this.#secrets.set(secret, { uses: 1, forms });
    for (const form of forms) this.#index.add(form);
    if (this.#secrets.size <= LIVE_SECRETS_MAX) return;
    const [oldest] = this.#secrets.keys();
    if (oldest !== undefined) this.#forget(oldest);
  }

  #release(secret: string): void {
    const known = this.#secrets.get(secret);
    if (known === undefined) return;
    known.uses -= 1;
    if (known.uses === 0) this.#forget(secret);
  }

  #forget(secret: string): void {
    for (const form of this.#secrets.get(secret)?.forms ?? []) this.#index.remove(form);
    this.#secrets.delete(secret);
  }
}
