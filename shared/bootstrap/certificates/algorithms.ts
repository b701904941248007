import type { webcrypto } from 'node:crypto';
import { BootstrapInvalidError } from '../invalid.ts';

/** `ClusterConfiguration.encryptionAlgorithm` of kubeadm v1beta4 and of KubeadmConfigSpec. */
export type EncryptionAlgorithm = 'RSA-2048' | 'RSA-3072' | 'RSA-4096' | 'ECDSA-P256' | 'ECDSA-P384';

/** The default of kubeadm and Cluster API. */
export const DEFAULT_ALGORITHM: EncryptionAlgorithm = 'RSA-2048';

/** WebCrypto's parameters for generating a key and for signing with it. */
export interface KeyParameters {
  generation: webcrypto.RsaHashedKeyGenParams | webcrypto.EcKeyGenParams;
  signing: webcrypto.Algorithm | webcrypto.EcdsaParams;
}

const rsa = (modulusLength: number): KeyParameters => ({
  generation: {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  },
  signing: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as webcrypto.Algorithm,
});

const ecdsa = (namedCurve: string, hash: string): KeyParameters => ({
  generation: { name: 'ECDSA', namedCurve },
  signing: { name: 'ECDSA', hash },
});

const PARAMETERS: Readonly<Record<EncryptionAlgorithm, KeyParameters>> = {
  'RSA-2048': rsa(2048),
  'RSA-3072': rsa(3072),
  'RSA-4096': rsa(4096),
  'ECDSA-P256': ecdsa('P-256', 'SHA-256'),
  'ECDSA-P384': ecdsa('P-384', 'SHA-384'),
};

/** The parameters of an algorithm. Throws BootstrapInvalidError for a name that kubeadm does not know. */
export const keyParameters = (algorithm: EncryptionAlgorithm): KeyParameters => {
  const parameters = PARAMETERS[algorithm];
  if (parameters === undefined) {
    throw new BootstrapInvalidError(
      'spec.clusterConfiguration.encryptionAlgorithm',
      `"${algorithm}" is unknown; use one of ${Object.keys(PARAMETERS).join(', ')}`,
    );
  }
  return parameters;
};

/** The parameters for signing with a user's existing private key: each curve has its hash, as in Go's crypto/x509. */
export const signingParameters = (key: webcrypto.CryptoKey): webcrypto.Algorithm | webcrypto.EcdsaParams => {
  if (key.algorithm.name !== 'ECDSA') return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as webcrypto.Algorithm;
  const curve = (key.algorithm as webcrypto.EcKeyAlgorithm).namedCurve;
  const hashes: Record<string, string> = { 'P-256': 'SHA-256', 'P-384': 'SHA-384', 'P-521': 'SHA-512' };
  return { name: 'ECDSA', hash: hashes[curve] ?? 'SHA-256' };
};
