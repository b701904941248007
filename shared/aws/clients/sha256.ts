import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

type Secret = string | ArrayBuffer | ArrayBufferView;

/** Keys made from the SDK's signing keys, which it reuses for a day. */
const keys = new WeakMap<object, KeyObject>();

/** Node examines a key of plain bytes at each use, which takes longer than the signature itself. */
const keyOf = (secret: Secret): string | KeyObject => {
  if (typeof secret === 'string') return secret;
  const bytes = ArrayBuffer.isView(secret) ? secret : new Uint8Array(secret);
  const key = keys.get(secret) ?? createSecretKey(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  keys.set(secret, key);
  return key;
};

/**
 * SHA-256, or HMAC with a secret, in the form that SDK clients need to sign their requests. Each instance makes one
 * digest.
 */
export class Sha256 {
  readonly #secret: Secret | undefined;
  #hash;

  constructor(secret?: Secret) {
    this.#secret = secret;
    this.#hash = this.#begin();
  }

  #begin() {
    return this.#secret ? createHmac('sha256', keyOf(this.#secret)) : createHash('sha256');
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#begin();
  }
}
