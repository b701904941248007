import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';

type Secret = string | ArrayBuffer | ArrayBufferView;

/** Of the SDK's signing keys, which it keeps for the day that they are good for. */
const keys = new WeakMap<object, KeyObject>();

/** Node examines a key of plain bytes at each use, which takes it longer than the signature itself. */
const keyOf = (secret: Secret): string | KeyObject => {
  if (typeof secret === 'string') return secret;
  const bytes = ArrayBuffer.isView(secret) ? secret : new Uint8Array(secret);
  const key = keys.get(secret) ?? createSecretKey(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  keys.set(secret, key);
  return key;
};

/** SHA-256, or with a secret its HMAC, in the form that SDK clients sign their requests with. For one digest each. */
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
