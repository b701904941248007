/**
 * Ciphertexts of the simulated KMS: AES-256-GCM with the key's material, with the encryption context as authenticated
 * data. Layout: a version byte, the key's id (16 bytes), the nonce (12), the tag (16), and the encrypted bytes.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Random } from '../../../../shared/random.ts';
import { AwsFault } from '../wire/fault.ts';
import { getUsableKey, type Key, type Kms } from './state.ts';

export type EncryptionContext = Readonly<Record<string, string>> | undefined;

const VERSION = 1;
const KEY_ID = { start: 1, length: 16 };
const NONCE = { start: 17, length: 12 };
const TAG = { start: 29, length: 16 };
const BODY_START = 45;

const cut = (blob: Uint8Array, { start, length }: { start: number; length: number }): Uint8Array =>
  blob.subarray(start, start + length);

/** The context as bytes that do not depend on the order of its pairs. */
const contextBytes = (context: EncryptionContext): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))));

/** Encrypts bytes under a key. */
export const seal = (random: Random, key: Key, plaintext: Uint8Array, context: EncryptionContext): Uint8Array => {
  const nonce = random.bytes(NONCE.length);
  const cipher = createCipheriv('aes-256-gcm', key.material, nonce).setAAD(contextBytes(context));
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const id = Buffer.from(key.id.replaceAll('-', ''), 'hex');
  return new Uint8Array(Buffer.concat([Buffer.of(VERSION), id, nonce, cipher.getAuthTag(), body]));
};

const keyIdIn = (blob: Uint8Array): string => {
  const hex = Buffer.from(cut(blob, KEY_ID)).toString('hex');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
};

const invalid = (): AwsFault =>
  new AwsFault('InvalidCiphertextException', 'The ciphertext is not valid for this context.');

const findKey = (kms: Kms, blob: Uint8Array): Key => {
  if (blob.length < BODY_START || blob[0] !== VERSION || !kms.keys.has(keyIdIn(blob))) throw invalid();
  return getUsableKey(kms, keyIdIn(blob));
};

/** Decrypts the output of `seal` with the key that the ciphertext names. Throws InvalidCiphertextException. */
export const open = (kms: Kms, blob: Uint8Array, context: EncryptionContext): { key: Key; plaintext: Uint8Array } => {
  const key = findKey(kms, blob);
  const decipher = createDecipheriv('aes-256-gcm', key.material, cut(blob, NONCE));
  decipher.setAAD(contextBytes(context)).setAuthTag(cut(blob, TAG));
  try {
    const plaintext = Buffer.concat([decipher.update(blob.subarray(BODY_START)), decipher.final()]);
    return { key, plaintext: new Uint8Array(plaintext) };
  } catch {
    // Node reports a wrong tag with a generic Error; KMS has one error for any mismatch of ciphertext and context.
    throw invalid();
  }
};
