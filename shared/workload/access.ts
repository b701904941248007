/** The parts of a client of a workload cluster: the server, its authority, and a client certificate or a token. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { type Reach, refusedAddress } from './addresses.ts';
import { type Kubeconfig, KubeconfigRefusedError, readKubeconfig } from './kubeconfig.ts';

/** A kubeconfig as it was found, with its source and the cluster's endpoint. */
export interface WorkloadTarget {
  kubeconfig: string;
  /** The name of the kubeconfig in messages, such as `Secret red-kubeconfig`. */
  source: string;
  /** The cluster's own endpoint (`spec.controlPlaneEndpoint`); the server must be the same. */
  endpoint: { host?: string; port?: number } | undefined;
}

/** Everything that a connection needs. Certificates and key are PEM. */
export interface WorkloadAccess {
  /** `https://host:port`, without a path. */
  server: URL;
  ca: string;
  certificate?: string;
  key?: string;
  token?: string;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The decoded content of a base64 field. */
const decoded = (value: string, field: string): string => {
  const compact = value.replace(/\s/g, '');
  if (!BASE64.test(compact) || compact.length % 4 !== 0) throw new KubeconfigRefusedError(field, 'is not base64');
  return Buffer.from(compact, 'base64').toString('utf8');
};

const certificateIn = (pem: string, field: string): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new KubeconfigRefusedError(field, 'is not a PEM certificate');
  }
};

const isKeyOf = (certificate: X509Certificate, pem: string, field: string): boolean => {
  try {
    return certificate.checkPrivateKey(createPrivateKey(pem));
  } catch {
    throw new KubeconfigRefusedError(field, 'is not an unencrypted PEM private key');
  }
};

const USER = 'users[0].user';
const CLUSTER = 'clusters[0].cluster';

/** Characters that are allowed in HTTP headers. */
const TOKEN = /^[\x21-\x7e]+$/;

const tokenOf = ({ token }: Kubeconfig['users'][0]['user']): Pick<WorkloadAccess, 'token'> => {
  if (token === undefined) return {};
  if (!TOKEN.test(token)) throw new KubeconfigRefusedError(`${USER}.token`, 'has characters that no token has');
  return { token };
};

const credentialsOf = (user: Kubeconfig['users'][0]['user']): Omit<WorkloadAccess, 'server' | 'ca'> => {
  const { 'client-certificate-data': certificateData, 'client-key-data': keyData } = user;
  if ((certificateData === undefined) !== (keyData === undefined)) {
    throw new KubeconfigRefusedError(USER, 'needs client-certificate-data and client-key-data together');
  }
  if (certificateData === undefined || keyData === undefined) {
    if (user.token !== undefined) return tokenOf(user);
    const problem = 'has no credentials: set client-certificate-data and client-key-data, or token';
    throw new KubeconfigRefusedError(USER, problem);
  }
  const certificate = decoded(certificateData, `${USER}.client-certificate-data`);
  const keyField = `${USER}.client-key-data`;
  const key = decoded(keyData, keyField);
  if (!isKeyOf(certificateIn(certificate, `${USER}.client-certificate-data`), key, keyField)) {
    throw new KubeconfigRefusedError(keyField, 'does not belong to client-certificate-data');
  }
  return { certificate, key, ...tokenOf(user) };
};

const urlOf = (content: string): URL | undefined => (URL.canParse(content) ? new URL(content) : undefined);

/** An endpoint in the form of a URL; undefined if it is invalid. */
const endpointUrl = ({ host, port }: NonNullable<WorkloadTarget['endpoint']>): URL | undefined =>
  host && port ? urlOf(`https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`) : undefined;

const serverOf = (content: string, endpoint: WorkloadTarget['endpoint'], reach: Reach): URL => {
  const field = `${CLUSTER}.server`;
  const server = urlOf(content);
  if (!server) throw new KubeconfigRefusedError(field, 'is not a URL: set it to https://HOST:PORT');
  if (server.protocol !== 'https:') throw new KubeconfigRefusedError(field, 'has to begin with https://');
  if (server.href !== `${server.origin}/`) {
    throw new KubeconfigRefusedError(field, 'has to be https://HOST:PORT and nothing more');
  }
  const own = endpoint ? endpointUrl(endpoint) : undefined;
  if (!own)
    throw new KubeconfigRefusedError('', 'spec.controlPlaneEndpoint of the Cluster is not set to a host and port');
  if (own.host !== server.host) {
    throw new KubeconfigRefusedError(field, `is not the cluster's endpoint: set it to ${own.origin}`);
  }
  const host = hostOf(server);
  const why = isIP(host) ? refusedAddress(host, reach) : undefined;
  if (why) throw new KubeconfigRefusedError(field, `${why}: no cluster is looked for there`);
  return server;
};

/** The host of a URL in the form that sockets need: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Throws a KubeconfigRefusedError that names the field. */
export const readAccess = ({ kubeconfig, endpoint }: WorkloadTarget, reach: Reach): WorkloadAccess => {
  const config = readKubeconfig(kubeconfig);
  const [[cluster], [user], [context]] = [config.clusters, config.users, config.contexts];
  const named = context.context;
  if (config['current-context'] !== context.name || named.cluster !== cluster.name || named.user !== user.name) {
    const problem = 'has to name the only context, and that context the only cluster and user';
    throw new KubeconfigRefusedError('current-context', problem);
  }
  const field = `${CLUSTER}.certificate-authority-data`;
  const ca = decoded(cluster.cluster['certificate-authority-data'], field);
  certificateIn(ca, field);
  return { server: serverOf(cluster.cluster.server, endpoint, reach), ca, ...credentialsOf(user.user) };
};
