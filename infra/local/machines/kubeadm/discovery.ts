import { parse } from 'yaml';
import { publicKeyHashes } from '../../../../shared/bootstrap/certificates/public-key-hash.ts';
import { type ApiTarget, ApiUnreachableError, connectApi, type Json } from './api-client.ts';
import { isSignedBy, parseToken, type TokenParts } from './bootstrap-token.ts';
import type { JoinConfiguration } from './config.ts';
import { KubeadmError, messageOf } from './error.ts';
import { isFields, section, sections, text } from './fields.ts';
import type { Route } from './route.ts';
import { retryFor, type Waiting } from './wait.ts';

/** The result of discovery: the API server's address and its CA. */
export interface Discovered {
  /** `host:port`, from the cluster's own cluster-info. */
  endpoint: string;
  /** PEM. */
  ca: string;
  token: TokenParts;
}

const CLUSTER_INFO = '/api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s';
const PREFIX = "couldn't validate the identity of the API Server";

/** The signed kubeconfig of cluster-info; waits until the token's signature exists. */
const fetchClusterInfo = async (
  target: ApiTarget,
  token: TokenParts,
  milliseconds: number,
  waiting: Waiting,
  retrying: (reason: string) => void,
): Promise<{ kubeconfig: string; signature: string }> => {
  const api = connectApi(target);
  let lastReason = '';
  try {
    return await retryFor(milliseconds, waiting, async () => {
      try {
        const data = section(await api.call('GET', CLUSTER_INFO), 'data');
        const signature = text(data, `jws-kubeconfig-${token.id}`);
        if (signature) return { kubeconfig: text(data, 'kubeconfig') ?? '', signature };
        throw new Error(`could not find a JWS signature in the cluster-info ConfigMap for token ID "${token.id}"`);
      } catch (error) {
        const isOwn = error instanceof Error && error.message.startsWith('could not find');
        const reason = isOwn ? messageOf(error) : `failed to request the cluster-info ConfigMap: ${messageOf(error)}`;
        if (reason !== lastReason) retrying(reason);
        lastReason = reason;
        throw new Error(reason, { cause: error });
      }
    });
  } finally {
    api.close();
  }
};

/** The server and CA of the only cluster in a kubeconfig. */
const readKubeconfig = (kubeconfig: string): { endpoint: string; ca: string } => {
  const document: unknown = parse(kubeconfig);
  const [cluster] = isFields(document) ? sections(document, 'clusters').map((entry) => section(entry, 'cluster')) : [];
  const server = cluster && text(cluster, 'server');
  const ca = cluster && text(cluster, 'certificate-authority-data');
  if (!server || !ca) throw new KubeadmError('malformed kubeconfig in the cluster-info ConfigMap');
  return { endpoint: new URL(server).host, ca: Buffer.from(ca, 'base64').toString('utf8') };
};

const checkPins = (ca: string, pins: readonly string[]): void => {
  const hashes = publicKeyHashes(ca);
  if (hashes.length === 0) throw new KubeadmError('failed to parse cluster CA from the cluster-info ConfigMap');
  if (hashes.some((hash) => pins.includes(hash))) return;
  const quoted = hashes.map((hash) => `"${hash}"`).join(' ');
  throw new KubeadmError(
    `cluster CA found in cluster-info ConfigMap is invalid: none of the public keys ${quoted} are pinned`,
  );
};

const HASH = /^sha256:[0-9a-f]{64}$/;

const checkConfiguration = (discovery: JoinConfiguration['discovery']): TokenParts => {
  const token = parseToken(discovery.token);
  if (!token) {
    throw new KubeadmError(
      'discovery.bootstrapToken.token: Invalid value: the bootstrap token is not of the form "\\A([a-z0-9]{6})\\.([a-z0-9]{16})\\z"',
    );
  }
  const malformed = discovery.caCertHashes.find((hash) => !HASH.test(hash.toLowerCase()));
  if (malformed !== undefined) {
    throw new KubeadmError(`invalid discovery token CA certificate hash: invalid public key pin "${malformed}"`);
  }
  if (discovery.caCertHashes.length === 0 && !discovery.unsafeSkipCaVerification) {
    throw new KubeadmError(
      'discovery.bootstrapToken: Invalid value: "": using token-based discovery without caCertHashes can be unsafe. Set unsafeSkipCAVerification as true in your kubeadm config file to continue',
    );
  }
  if (!discovery.apiServerEndpoint)
    throw new KubeadmError('discovery.bootstrapToken.apiServerEndpoint: Required value');
  return token;
};

/**
 * Token discovery of `kubeadm join`: fetches cluster-info without a trusted connection, verifies the signature with the
 * token and the CA with the pinned hashes, and fetches it again over TLS with this CA. Waits for an API server and a
 * signature until the discovery timeout. Throws KubeadmError.
 */
export const discover = async (
  configuration: JoinConfiguration,
  waiting: Waiting,
  route: Route,
  say: (line: string) => void,
): Promise<Discovered> => {
  const { discovery, timeouts } = configuration;
  const token = checkConfiguration(discovery);
  const target = { endpoint: discovery.apiServerEndpoint, route };
  const retrying = (reason: string): void => say(`[discovery] Retrying due to error: ${reason}`);
  const fetch = (ca?: string) =>
    fetchClusterInfo({ ...target, ca }, token, timeouts.discovery, waiting, retrying).catch((error: unknown) => {
      if (waiting.signal.aborted) throw error;
      throw new KubeadmError(`${PREFIX}: ${messageOf(error)}`, { cause: error });
    });

  const insecure = await fetch();
  if (!isSignedBy(insecure.signature, insecure.kubeconfig, token)) {
    throw new KubeadmError(
      `${PREFIX}: failed to verify JWS signature of received cluster info object, can't trust this API Server`,
    );
  }
  const found = readKubeconfig(insecure.kubeconfig);
  if (discovery.caCertHashes.length === 0) return { ...found, token };
  try {
    checkPins(
      found.ca,
      discovery.caCertHashes.map((hash) => hash.toLowerCase()),
    );
  } catch (error) {
    throw new KubeadmError(`${PREFIX}: ${messageOf(error)}`, { cause: error });
  }
  const secure = await fetch(found.ca);
  if (secure.kubeconfig !== insecure.kubeconfig) {
    throw new KubeadmError(
      `${PREFIX}: the second kubeconfig from the cluster-info ConfigMap (using validated TLS) was different from the first`,
    );
  }
  return { ...found, token };
};

/**
 * The data of a ConfigMap that kubeadm reads, with retries while the API server is not available. Throws KubeadmError.
 */
export const readConfigMap = async (
  call: (path: string) => Promise<Json>,
  name: string,
  milliseconds: number,
  waiting: Waiting,
): Promise<Record<string, unknown>> => {
  const path = `/api/v1/namespaces/kube-system/configmaps/${name}`;
  try {
    const document = await retryFor(
      milliseconds,
      waiting,
      () => call(path),
      (error) => !(error instanceof ApiUnreachableError) && !/not found|etcdserver/.test(messageOf(error)),
    );
    return section(document, 'data');
  } catch (error) {
    if (waiting.signal.aborted) throw error;
    throw new KubeadmError(`unable to fetch the ${name} ConfigMap: failed to get config map: ${messageOf(error)}`);
  }
};
