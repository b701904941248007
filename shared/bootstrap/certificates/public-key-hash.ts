import { createHash, X509Certificate } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The certificates of a PEM bundle, in order. Throws the errors of node:crypto for a block that is not a certificate.
 */
export const parseCertificates = (pem: string): X509Certificate[] =>
  (pem.match(CERTIFICATE) ?? []).map((block) => new X509Certificate(block));

const hash = (certificate: X509Certificate): string => {
  const spki = certificate.publicKey.export({ format: 'der', type: 'spki' });
  return `sha256:${createHash('sha256').update(spki).digest('hex')}`;
};

/** kubeadm's `caCertHashes`: SHA-256 over the SubjectPublicKeyInfo, one for each certificate of the CA bundle. */
export const publicKeyHashes = (caPem: string): string[] => parseCertificates(caPem).map(hash);

/** The hash of the first certificate of a bundle. Throws if the text contains none. */
export const publicKeyHash = (caPem: string): string => {
  const [first] = publicKeyHashes(caPem);
  if (first === undefined) throw new Error('the text holds no CERTIFICATE block');
  return first;
};
