import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import type { Clock } from '../../clock.ts';
import type { Random } from '../../random.ts';
import { DEFAULT_ALGORITHM, type EncryptionAlgorithm, signingParameters } from './algorithms.ts';
import { DAY_MILLISECONDS } from './authority.ts';
import type { PemPair } from './keys.ts';
import { encodePrivateKey, importSigningKey, type KeyGenerator } from './keys.ts';
import { serialNumber } from './serial-number.ts';

export interface CertificateRequest {
  commonName: string;
  /** Kubernetes treats these as groups. */
  organizations?: readonly string[];
  usages: readonly ('client' | 'server')[];
  /** DNS names and IP addresses. */
  sans?: readonly string[];
  /** Default 365. */
  days?: number;
  /** Algorithm of the new key; default RSA-2048. */
  algorithm?: EncryptionAlgorithm;
}

export interface IssueDependencies {
  clock: Clock;
  random: Random;
  keys: KeyGenerator;
}

const DEFAULT_CERTIFICATE_DAYS = 365;

const EXTENDED_USAGES = { client: x509.ExtendedKeyUsage.clientAuth, server: x509.ExtendedKeyUsage.serverAuth };

const extensions = async (request: CertificateRequest, ca: x509.X509Certificate): Promise<x509.Extension[]> => {
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  const issuerKeyId = ca.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
  const list: x509.Extension[] = [
    new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true),
    new x509.ExtendedKeyUsageExtension(request.usages.map((usage) => EXTENDED_USAGES[usage])),
  ];
  if (issuerKeyId !== undefined) list.push(new x509.AuthorityKeyIdentifierExtension(issuerKeyId));
  const names = (request.sans ?? []).map((value) => ({
    type: isIP(value) ? ('ip' as const) : ('dns' as const),
    value,
  }));
  if (names.length > 0) list.push(new x509.SubjectAlternativeNameExtension(names));
  return list;
};

/**
 * A certificate with a new key, signed by `ca`. Like Cluster API's, it is valid from the start of the CA's validity,
 * because clocks may be slow, until `days` from now. Organizations precede the common name, as in Go's pkix.Name.
 */
export const issueCertificate = async (
  ca: PemPair,
  request: CertificateRequest,
  { clock, random, keys }: IssueDependencies,
): Promise<PemPair> => {
  const [pair, signingKey] = await Promise.all([
    keys.generate(request.algorithm ?? DEFAULT_ALGORITHM),
    importSigningKey(ca.privateKeyPem),
  ]);
  const authority = new x509.X509Certificate(new Uint8Array(new X509Certificate(ca.certificatePem).raw));
  const days = request.days ?? DEFAULT_CERTIFICATE_DAYS;
  const organizations = request.organizations ?? [];
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(random),
    subject: [...(organizations.length > 0 ? [{ O: [...organizations] }] : []), { CN: [request.commonName] }],
    issuer: authority.subjectName,
    notBefore: authority.notBefore,
    notAfter: new Date(clock.now().getTime() + days * DAY_MILLISECONDS),
    publicKey: pair.publicKey,
    signingKey,
    signingAlgorithm: signingParameters(signingKey),
    extensions: await extensions(request, authority),
  });
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    privateKeyPem: await encodePrivateKey(pair.privateKey),
  };
};
