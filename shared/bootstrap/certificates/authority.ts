import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import type { Clock } from '../../clock.ts';
import type { Random } from '../../random.ts';
import { DEFAULT_ALGORITHM, type EncryptionAlgorithm, keyParameters } from './algorithms.ts';
import { encodePrivateKey, encodePublicKey, type KeyGenerator, type PemPair } from './keys.ts';
import type { CertificatePurpose } from './secrets.ts';
import { serialNumber } from './serial-number.ts';

/**
 * The key material of one cluster. `apiserverEtcdClient` only exists with external etcd, and always comes from the
 * user.
 */
export interface ClusterCertificates {
  ca: PemPair;
  etcd: PemPair;
  proxy: PemPair;
  sa: PemPair;
  apiserverEtcdClient?: PemPair;
}

export interface GenerationOptions {
  /** Default RSA-2048. */
  algorithm?: EncryptionAlgorithm;
  /** `caCertificateValidityPeriodDays`; default 3650. */
  days?: number;
  clock: Clock;
  random: Random;
  keys: KeyGenerator;
}

const DEFAULT_CA_DAYS = 3650;
export const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** Clocks of new machines may be slow. Cluster API allows for the same difference. */
const SKEW_MILLISECONDS = 5 * 60 * 1000;

/**
 * A self-signed CA in Cluster API's form (util/secret/certificates.go): CN `kubernetes` for every purpose, path length
 * 0, valid since five minutes ago.
 */
export const generateAuthority = async (options: GenerationOptions): Promise<PemPair> => {
  const algorithm = options.algorithm ?? DEFAULT_ALGORITHM;
  const keys = await options.keys.generate(algorithm);
  const now = options.clock.now().getTime();
  const { digitalSignature, keyEncipherment, keyCertSign } = x509.KeyUsageFlags;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    keys,
    name: [{ CN: ['kubernetes'] }],
    serialNumber: serialNumber(options.random),
    notBefore: new Date(now - SKEW_MILLISECONDS),
    notAfter: new Date(now + (options.days ?? DEFAULT_CA_DAYS) * DAY_MILLISECONDS),
    signingAlgorithm: keyParameters(algorithm).signing,
    extensions: [
      new x509.KeyUsagesExtension(digitalSignature | keyEncipherment | keyCertSign, true),
      new x509.BasicConstraintsExtension(true, 0, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    privateKeyPem: await encodePrivateKey(keys.privateKey),
  };
};

/** The pair that signs service account tokens. It is not a certificate: `certificatePem` contains the public key. */
export const generateServiceAccountPair = async (options: GenerationOptions): Promise<PemPair> => {
  const keys = await options.keys.generate(options.algorithm ?? DEFAULT_ALGORITHM);
  return {
    certificatePem: await encodePublicKey(keys.publicKey),
    privateKeyPem: await encodePrivateKey(keys.privateKey),
  };
};

/** Generates one pair for a purpose. The caller keeps existing pairs, and only requests missing ones. */
export const generatePair = (purpose: CertificatePurpose, options: GenerationOptions): Promise<PemPair> =>
  purpose === 'sa' ? generateServiceAccountPair(options) : generateAuthority(options);

/** All key material of a new cluster with stacked etcd, generated concurrently. */
export const generateClusterCertificates = async (options: GenerationOptions): Promise<ClusterCertificates> => {
  const [ca, etcd, proxy, sa] = await Promise.all([
    generateAuthority(options),
    generateAuthority(options),
    generateAuthority(options),
    generateServiceAccountPair(options),
  ]);
  return { ca, etcd, proxy, sa };
};
