import { createPrivateKey, createPublicKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { generateAuthority, generateServiceAccountPair } from '../../../../shared/bootstrap/certificates/authority.ts';
import { issueCertificate } from '../../../../shared/bootstrap/certificates/issue.ts';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import { parseCertificates } from '../../../../shared/bootstrap/certificates/public-key-hash.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { Random } from '../../../../shared/random.ts';
import type { FileSystem } from '../user-data/file-system.ts';
import type { ClusterConfiguration } from './config.ts';
import { KubeadmError, messageOf } from './error.ts';

/** The key material of a control plane machine. */
export interface ControlPlaneCertificates {
  ca: PemPair;
  etcd: PemPair;
  proxy: PemPair;
  sa: PemPair;
}

const AUTHORITIES = { ca: 'ca', etcd: 'etcd/ca', proxy: 'front-proxy-ca' } as const;

const missing = (what: string, path: string): string =>
  `couldn't load the ${what} file ${path}: open ${path}: no such file or directory`;

const isKeyOf = (key: KeyObject, publicKey: KeyObject): boolean => createPublicKey(key).equals(publicKey);

const parseCertificate = (pem: string, path: string): X509Certificate => {
  try {
    const [certificate] = parseCertificates(pem);
    if (certificate) return certificate;
  } catch (error) {
    throw new KubeadmError(`couldn't load the certificate file ${path}: error reading ${path}: ${messageOf(error)}`);
  }
  throw new KubeadmError(
    `couldn't load the certificate file ${path}: error reading ${path}: data does not contain any valid RSA or ECDSA certificates`,
  );
};

const parseKey = (pem: string, path: string): KeyObject => {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new KubeadmError(
      `couldn't load the private key file ${path}: error reading private key file ${path}: data does not contain a valid RSA or ECDSA private key`,
    );
  }
};

/** Throws KubeadmError unless certificate and key form a CA that can sign now. */
const checkAuthority = (pair: PemPair, path: string, now: Date): void => {
  const certificate = parseCertificate(pair.certificatePem, `${path}.crt`);
  const key = parseKey(pair.privateKeyPem, `${path}.key`);
  if (!certificate.ca) throw new KubeadmError(`certificate ${path}.crt is not a CA`);
  if (certificate.validToDate.getTime() <= now.getTime()) {
    throw new KubeadmError(`certificate ${path}.crt: the certificate has expired: NotAfter: ${certificate.validTo}`);
  }
  if (certificate.validFromDate.getTime() > now.getTime()) {
    throw new KubeadmError(
      `certificate ${path}.crt: the certificate is not valid yet: NotBefore: ${certificate.validFrom}`,
    );
  }
  if (!isKeyOf(key, certificate.publicKey)) {
    throw new KubeadmError(`${path}.key: x509: provided PrivateKey doesn't match parent's PublicKey`);
  }
};

const checkServiceAccount = (pair: PemPair, path: string): void => {
  const key = parseKey(pair.privateKeyPem, `${path}.key`);
  let publicKey: KeyObject;
  try {
    publicKey = createPublicKey(pair.certificatePem);
  } catch {
    throw new KubeadmError(`couldn't load the public key file ${path}.pub: data does not contain a valid public key`);
  }
  if (!isKeyOf(key, publicKey)) throw new KubeadmError(`${path}.pub is not the public key of ${path}.key`);
};

/** A pair as stored on the disk; undefined if both halves are missing. Throws KubeadmError if one half is missing. */
const readPair = (files: FileSystem, certificatePath: string, keyPath: string): PemPair | undefined => {
  const certificatePem = files.read(certificatePath);
  const privateKeyPem = files.read(keyPath);
  if (certificatePem === undefined && privateKeyPem === undefined) return undefined;
  if (certificatePem === undefined) throw new KubeadmError(missing('certificate', certificatePath));
  if (privateKeyPem === undefined) throw new KubeadmError(missing('private key', keyPath));
  return { certificatePem, privateKeyPem };
};

type Purpose = keyof ControlPlaneCertificates;

const pathsOf = (purpose: Purpose, directory: string): [certificate: string, key: string] =>
  purpose === 'sa'
    ? [`${directory}/sa.pub`, `${directory}/sa.key`]
    : [`${directory}/${AUTHORITIES[purpose]}.crt`, `${directory}/${AUTHORITIES[purpose]}.key`];

const PURPOSES: readonly Purpose[] = ['ca', 'etcd', 'proxy', 'sa'];

const load = (purpose: Purpose, files: FileSystem, directory: string, now: Date): PemPair | undefined => {
  const [certificatePath, keyPath] = pathsOf(purpose, directory);
  const pair = readPair(files, certificatePath, keyPath);
  if (!pair) return undefined;
  if (purpose === 'sa') checkServiceAccount(pair, keyPath.slice(0, -'.key'.length));
  else checkAuthority(pair, keyPath.slice(0, -'.key'.length), now);
  return pair;
};

/**
 * The `certs` phase of `kubeadm init`: verifies and uses the files on the disk, and creates missing ones. Because of
 * this, a machine without its CA files ends with an API server that no other machine trusts. Throws KubeadmError.
 */
export const prepareCertificates = async (
  files: FileSystem,
  directory: string,
  { clock, random }: { clock: Clock; random: Random },
  say: (text: string) => void,
): Promise<ControlPlaneCertificates> => {
  const found: Partial<ControlPlaneCertificates> = {};
  for (const purpose of PURPOSES) {
    const [certificatePath, keyPath] = pathsOf(purpose, directory);
    let pair = load(purpose, files, directory, clock.now());
    if (pair) say(`[certs] Using existing ${certificatePath}`);
    else {
      const options = { algorithm: 'ECDSA-P256', clock, random, keys: webCryptoKeys } as const;
      pair = await (purpose === 'sa' ? generateServiceAccountPair(options) : generateAuthority(options));
      files.write(certificatePath, pair.certificatePem);
      files.write(keyPath, pair.privateKeyPem, { permissions: '0600' });
      say(`[certs] Generating ${certificatePath}`);
    }
    found[purpose] = pair;
  }
  return found as ControlPlaneCertificates;
};

/**
 * Requires the certificates that `kubeadm join` needs on a new control plane machine: the shared ones must exist.
 * Throws a KubeadmError that lists all missing ones, or the error in one of them.
 */
export const requireCertificates = (files: FileSystem, directory: string, now: Date): ControlPlaneCertificates => {
  const absent = PURPOSES.flatMap((purpose) =>
    pathsOf(purpose, directory)
      .filter((path) => files.stat(path) === undefined)
      .map((path) => missing(path.endsWith('.key') ? 'private key' : 'certificate', path)),
  );
  if (absent.length > 0) {
    const title = 'One or more conditions for hosting a new control plane instance is not satisfied.';
    throw new KubeadmError(`${title} [${absent.join(', ')}]`);
  }
  const loaded = PURPOSES.map((purpose) => [purpose, load(purpose, files, directory, now)] as const);
  return Object.fromEntries(loaded) as unknown as ControlPlaneCertificates;
};

/** The first address of a service subnet, which is the API server's own; undefined if the subnet is malformed. */
export const firstServiceIp = (subnets: string): string | undefined => {
  const [base = ''] = (subnets.split(',')[0] ?? '').trim().split('/');
  if (isIPv6(base)) return base.endsWith('::') ? `${base}1` : undefined;
  if (!isIPv4(base)) return undefined;
  const octets = base.split('.').map(Number);
  octets[3] = (octets[3] ?? 0) + 1;
  return octets.join('.');
};

export interface ServerNames {
  nodeName: string;
  advertiseAddress: string;
}

const namesOf = (cluster: ClusterConfiguration, { nodeName, advertiseAddress }: ServerNames): string[] => {
  const endpointHost = cluster.controlPlaneEndpoint?.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  const names = [
    nodeName,
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    `kubernetes.default.svc.${cluster.dnsDomain}`,
    firstServiceIp(cluster.serviceSubnet),
    advertiseAddress,
    endpointHost,
    ...cluster.certSans,
  ];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as string[];
};

/** apiserver.crt: the server certificate with kubeadm's names. The key is ECDSA, which is fast to create. */
export const issueServerCertificate = (
  ca: PemPair,
  cluster: ClusterConfiguration,
  names: ServerNames,
  dependencies: { clock: Clock; random: Random },
): Promise<PemPair> =>
  issueCertificate(
    ca,
    { commonName: 'kube-apiserver', usages: ['server'], sans: namesOf(cluster, names), algorithm: 'ECDSA-P256' },
    { ...dependencies, keys: webCryptoKeys },
  );

/** A client certificate that the machine signs itself with its own CA key. */
export const issueClientCertificate = (
  ca: PemPair,
  subject: { commonName: string; organization: string },
  dependencies: { clock: Clock; random: Random },
): Promise<PemPair> =>
  issueCertificate(
    ca,
    {
      commonName: subject.commonName,
      organizations: [subject.organization],
      usages: ['client'],
      algorithm: 'ECDSA-P256',
    },
    { ...dependencies, keys: webCryptoKeys },
  );
