import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { signingParameters } from '../../../../shared/bootstrap/certificates/algorithms.ts';
import { DAY_MILLISECONDS } from '../../../../shared/bootstrap/certificates/authority.ts';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import { encodePrivateKey, importSigningKey, webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';

const CERTIFICATE_DAYS = 365;

/**
 * A request for a node's client certificate with a new key, as kubelet creates it: CN system:node:<name>, O
 * system:nodes.
 */
export const makeSigningRequest = async (nodeName: string): Promise<{ requestPem: string; privateKeyPem: string }> => {
  const keys = await webCryptoKeys.generate('ECDSA-P256');
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: new x509.Name([{ O: ['system:nodes'] }, { CN: [`system:node:${nodeName}`] }]).toString(),
    keys,
    signingAlgorithm: signingParameters(keys.privateKey),
  });
  return { requestPem: `${request.toString('pem')}\n`, privateKeyPem: await encodePrivateKey(keys.privateKey) };
};

const serialNumber = (random: Random): string => {
  const bytes = random.bytes(16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return Buffer.from(bytes).toString('hex');
};

/**
 * Signs a node's request with the cluster's CA; returns the certificate as PEM. Throws an Error with the signer's
 * message unless the request is for a node: organization system:nodes, a common name system:node:…, and a valid
 * signature.
 */
export const signRequest = async (
  requestPem: string,
  ca: PemPair,
  { clock, random }: { clock: Clock; random: Random },
): Promise<string> => {
  const request = new x509.Pkcs10CertificateRequest(requestPem);
  if (!(await request.verify())) throw new Error('the request is not signed by its own key');
  const subject = request.subjectName;
  const organizations = subject.getField('O');
  if (organizations.length !== 1 || organizations[0] !== 'system:nodes') {
    throw new Error('subject organization is not system:nodes');
  }
  if (!subject.getField('CN')[0]?.startsWith('system:node:')) {
    throw new Error('subject common name does not begin with system:node: ');
  }
  const authority = new x509.X509Certificate(ca.certificatePem);
  const signingKey = await importSigningKey(ca.privateKeyPem);
  const now = clock.now().getTime();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(random),
    subject: request.subjectName.toJSON(),
    issuer: authority.subjectName,
    notBefore: authority.notBefore,
    notAfter: new Date(Math.min(now + CERTIFICATE_DAYS * DAY_MILLISECONDS, authority.notAfter.getTime())),
    publicKey: request.publicKey,
    signingKey,
    signingAlgorithm: signingParameters(signingKey),
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
    ],
  });
  return `${certificate.toString('pem')}\n`;
};
