import { createPrivateKey, createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import { type EncryptionAlgorithm, keyParameters } from './algorithms.ts';

/**
 * A certificate (for `sa`: a public key) and its private key, both in PEM. The CA of an external etcd has no key: ''.
 */
export interface PemPair {
  certificatePem: string;
  privateKeyPem: string;
}

/** Generates key pairs. The keys must be extractable, and usable to sign and verify. */
export interface KeyGenerator {
  generate(algorithm: EncryptionAlgorithm): Promise<webcrypto.CryptoKeyPair>;
}

/**
 * Keys from WebCrypto, which generates them on a pool of threads: four RSA keys take as long as one, and the event loop
 * is not blocked. The randomness comes from the operating system; a simulation passes a generator with fixed keys.
 */
export const webCryptoKeys: KeyGenerator = {
  generate: async (algorithm) =>
    (await webcrypto.subtle.generateKey(keyParameters(algorithm).generation, true, [
      'sign',
      'verify',
    ])) as webcrypto.CryptoKeyPair,
};

/**
 * PKCS #1 (`RSA PRIVATE KEY`) or SEC 1 (`EC PRIVATE KEY`): the forms in which Cluster API stores keys in its Secrets.
 */
export const encodePrivateKey = async (key: webcrypto.CryptoKey): Promise<string> => {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  const object = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const type = object.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs1';
  return object.export({ format: 'pem', type: type as 'pkcs1' }).toString();
};

/** A PKIX `PUBLIC KEY` block, as in `sa.pub`. */
export const encodePublicKey = async (key: webcrypto.CryptoKey): Promise<string> => {
  const der = Buffer.from(await webcrypto.subtle.exportKey('spki', key));
  return createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'pem', type: 'spki' }).toString();
};

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' };

/** The WebCrypto name of a key that Kubernetes components can use; undefined for any other kind (ed25519, DSA, ...). */
export const importParameters = (
  key: KeyObject,
): webcrypto.RsaHashedImportParams | webcrypto.EcKeyImportParams | undefined => {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const namedCurve = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  return namedCurve === undefined ? undefined : { name: 'ECDSA', namedCurve };
};

/** A private key in PEM (PKCS #1, PKCS #8 or SEC 1) as a WebCrypto signing key. Throws if it is not RSA or ECDSA. */
export const importSigningKey = async (privateKeyPem: string): Promise<webcrypto.CryptoKey> => {
  const object = createPrivateKey(privateKeyPem);
  const parameters = importParameters(object);
  if (parameters === undefined) throw new Error(`a ${object.asymmetricKeyType} key cannot sign certificates here`);
  const der = object.export({ format: 'der', type: 'pkcs8' });
  return webcrypto.subtle.importKey('pkcs8', new Uint8Array(der), parameters, true, ['sign']);
};
