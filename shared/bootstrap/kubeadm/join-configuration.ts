import { publicKeyHashes } from '../certificates/public-key-hash.ts';
import { BootstrapInvalidError } from '../invalid.ts';
import { parseToken } from '../tokens.ts';
import { compact, type Fields } from './document.ts';
import { hostPort } from './endpoint.ts';
import { nodeRegistration, workerRegistration } from './node-registration.ts';
import type { ClusterFacts, Discovery, JoinConfiguration } from './spec.ts';
import { discoveryTimeoutV1beta3, timeoutsV1beta4 } from './timeouts.ts';
import { kubeadmApi } from './version.ts';

export interface JoinInput {
  role: 'control-plane' | 'worker';
  cluster: ClusterFacts;
  configuration: JoinConfiguration;
  /** The machine's own bootstrap token. */
  token: string;
  /** The cluster CA in PEM; may be a bundle. */
  caCertificatePem: string;
}

/**
 * Discovery by token. The user's settings take precedence. The CA is always pinned unless the user has set otherwise.
 */
const tokenDiscovery = ({ cluster, configuration, token, caCertificatePem }: JoinInput): Fields => {
  const set = configuration.discovery?.bootstrapToken;
  const used = set?.token ?? token;
  parseToken(used, 'spec.joinConfiguration.discovery.bootstrapToken.token');
  const hashes = set?.caCertHashes ?? publicKeyHashes(caCertificatePem);
  if (hashes.length === 0 && set?.unsafeSkipCAVerification !== true) {
    throw new BootstrapInvalidError('cluster CA', 'holds no certificate, so that joining machines could not verify it');
  }
  return {
    token: used,
    apiServerEndpoint: set?.apiServerEndpoint ?? hostPort(cluster.endpoint),
    caCertHashes: hashes,
    unsafeSkipCAVerification: set?.unsafeSkipCAVerification,
  };
};

/** Discovery by file excludes a token for discovery: kubeadm refuses both. */
const discovery = (input: JoinInput): Fields => {
  const set: Discovery | undefined = input.configuration.discovery;
  const v1beta3 = kubeadmApi(input.cluster.version) === 'kubeadm.k8s.io/v1beta3';
  return {
    bootstrapToken: set?.file === undefined ? tokenDiscovery(input) : undefined,
    file: set?.file && { kubeConfigPath: set.file.kubeConfigPath },
    tlsBootstrapToken: set?.tlsBootstrapToken,
    timeout: v1beta3 ? discoveryTimeoutV1beta3(input.configuration.timeouts) : undefined,
  };
};

/** A control plane machine needs `controlPlane` even if it is empty, because its presence makes it one. */
const controlPlane = ({ role, configuration }: JoinInput): Fields | undefined =>
  role === 'worker' ? undefined : { localAPIEndpoint: { ...configuration.controlPlane?.localAPIEndpoint } };

/**
 * kubeadm's JoinConfiguration. The API version is that of the joining machine's own kubeadm. Throws
 * BootstrapInvalidError if a worker's spec has `controlPlane`.
 */
export const joinConfiguration = (input: JoinInput): Fields => {
  const { role, cluster, configuration } = input;
  const api = kubeadmApi(cluster.version);
  if (role === 'worker' && configuration.controlPlane !== undefined) {
    throw new BootstrapInvalidError('spec.joinConfiguration.controlPlane', 'must not be set for a worker; remove it');
  }
  const options = configuration.nodeRegistration;
  const fields = compact({
    apiVersion: api,
    kind: 'JoinConfiguration',
    nodeRegistration: nodeRegistration(api, role === 'worker' ? workerRegistration(options) : options),
    caCertPath: configuration.caCertPath,
    discovery: discovery(input),
    skipPhases: configuration.skipPhases,
    patches: configuration.patches && { ...configuration.patches },
    timeouts: api === 'kubeadm.k8s.io/v1beta4' ? timeoutsV1beta4(configuration.timeouts) : undefined,
  });
  const member = controlPlane(input);
  return member === undefined ? fields : { ...fields, controlPlane: member };
};
