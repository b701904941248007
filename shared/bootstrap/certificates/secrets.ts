import { Buffer } from 'node:buffer';
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { KubeObject } from '../../kube-api/object.ts';
import { CertificateInvalidError } from '../invalid.ts';
import type { PemPair } from './keys.ts';
import { importParameters } from './keys.ts';
import { parseCertificates } from './public-key-hash.ts';

/** The purpose of a cluster's Secret, whose name is `<cluster>-<purpose>`. */
export type CertificatePurpose = 'ca' | 'cca' | 'etcd' | 'peer-etcd' | 'proxy' | 'sa' | 'apiserver-etcd-client';

/** A core/v1 Secret; `data` values are base64. */
export interface SecretObject extends KubeObject {
  type?: string;
  data?: Record<string, string>;
}

const CLUSTER_SECRET_TYPE = 'cluster.x-k8s.io/secret';
const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

export const secretName = (clusterName: string, purpose: CertificatePurpose | 'kubeconfig'): string =>
  `${clusterName}-${purpose}`;

const clusterSecret = (
  clusterName: string,
  namespace: string,
  name: string,
  data: Record<string, string>,
): SecretObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels: { [CLUSTER_NAME_LABEL]: clusterName } },
  type: CLUSTER_SECRET_TYPE,
  data,
});

/** The Secret in which Cluster API stores a pair. The caller adds ownerReferences. */
export const toSecret = (
  clusterName: string,
  namespace: string,
  purpose: CertificatePurpose,
  pair: PemPair,
): SecretObject =>
  clusterSecret(clusterName, namespace, secretName(clusterName, purpose), {
    'tls.crt': base64(pair.certificatePem),
    'tls.key': base64(pair.privateKeyPem),
  });

/** The Secret `<cluster>-kubeconfig`. The caller adds ownerReferences. */
export const toKubeconfigSecret = (clusterName: string, namespace: string, kubeconfig: string): SecretObject =>
  clusterSecret(clusterName, namespace, secretName(clusterName, 'kubeconfig'), { value: base64(kubeconfig) });

/** The Secret in which a token is stored, under `value`. The caller adds ownerReferences. */
export const toTokenSecret = (clusterName: string, namespace: string, name: string, token: string): SecretObject =>
  clusterSecret(clusterName, namespace, name, { value: base64(token) });

/** The Secret with a machine's bootstrap data, with the name of its KubeadmConfig. The caller adds ownerReferences. */
export const toBootstrapDataSecret = (
  clusterName: string,
  namespace: string,
  name: string,
  { body, format }: { body: string; format: string },
): SecretObject => clusterSecret(clusterName, namespace, name, { value: base64(body), format: base64(format) });

interface Expectation {
  purpose: CertificatePurpose;
  now: Date;
  /** External etcd: the CA's Secret needs no `tls.key`. */
  external?: boolean;
}

const fieldOf = (secret: SecretObject, key: string): string =>
  `secret ${secret.metadata.namespace ?? 'default'}/${secret.metadata.name} key ${key}`;

const read = (secret: SecretObject, key: string): string => {
  const text = Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8');
  if (text.trim() === '') {
    throw new CertificateInvalidError(
      fieldOf(secret, key),
      'is missing or empty; put PEM data there, or delete the secret to have it generated',
    );
  }
  return text;
};

const parsePrivateKey = (pem: string, field: string): KeyObject => {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (cause) {
    throw new CertificateInvalidError(field, 'is not an unencrypted PEM private key (PKCS#1, PKCS#8 or SEC1)', {
      cause,
    });
  }
  if (importParameters(key) === undefined) {
    throw new CertificateInvalidError(
      field,
      `is a ${key.asymmetricKeyType} key; use RSA or ECDSA (P-256, P-384, P-521)`,
    );
  }
  return key;
};

/** The public key in `tls.crt`. Verifies that the certificate is valid for the purpose. */
const verifyCertificate = (pem: string, field: string, { purpose, now }: Expectation): KeyObject => {
  try {
    if (purpose === 'sa') return createPublicKey(pem);
    const [certificate] = parseCertificates(pem);
    if (certificate === undefined) throw new Error('no CERTIFICATE block');
    if (certificate.validToDate.getTime() <= now.getTime()) {
      throw new CertificateInvalidError(field, `expired at ${certificate.validToDate.toISOString()}`);
    }
    if (purpose !== 'apiserver-etcd-client' && !certificate.ca) {
      throw new CertificateInvalidError(field, 'is not a CA certificate (basic constraints CA:TRUE)');
    }
    return certificate.publicKey;
  } catch (cause) {
    if (cause instanceof CertificateInvalidError) throw cause;
    const wanted = purpose === 'sa' ? 'a PEM public key' : 'a PEM certificate';
    throw new CertificateInvalidError(field, `is not ${wanted}`, { cause });
  }
};

/** The names of the two halves of a pair in messages. */
interface PairNames {
  certificate: string;
  key: string;
  /** The half that the key must match. */
  partner: string;
}

/**
 * Verifies that a pair is valid for its purpose and that its halves match. Throws CertificateInvalidError, which names
 * the half and quotes none of it.
 */
export const verifyPair = (
  { certificatePem, privateKeyPem }: PemPair,
  names: PairNames,
  expected: Expectation,
): void => {
  const publicKey = verifyCertificate(certificatePem, names.certificate, expected);
  const privateKey = parsePrivateKey(privateKeyPem, names.key);
  if (!createPublicKey(privateKey).equals(publicKey))
    throw new CertificateInvalidError(names.key, `does not belong to ${names.partner}`);
};

/**
 * Reads and verifies a Secret with a certificate, of any type, created by us or by a user. The PEM text is returned
 * unchanged, because machines get it. Throws CertificateInvalidError, which names the Secret and the key.
 */
export const fromSecret = (secret: SecretObject, expectation: Expectation): PemPair => {
  const certificatePem = read(secret, 'tls.crt');
  const certificate = fieldOf(secret, 'tls.crt');
  if (expectation.external === true && expectation.purpose === 'etcd') {
    verifyCertificate(certificatePem, certificate, expectation);
    return { certificatePem, privateKeyPem: '' };
  }
  const pair = { certificatePem, privateKeyPem: read(secret, 'tls.key') };
  const names = { certificate, key: fieldOf(secret, 'tls.key'), partner: 'tls.crt of the same secret' };
  verifyPair(pair, names, expectation);
  return pair;
};
