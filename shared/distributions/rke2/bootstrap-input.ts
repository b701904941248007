import type { PemPair } from '../../bootstrap/certificates/keys.ts';
import { BootstrapInvalidError, CertificateInvalidError } from '../../bootstrap/invalid.ts';
import type { Rke2Certificates, Rke2Input } from '../../bootstrap/rke2/input.ts';
import { resolveRke2Files, resolveRke2References } from '../../bootstrap/rke2/references.ts';
import { secureToken } from '../../bootstrap/rke2/token.ts';
import { MissingReferenceError, TransientError } from '../../errors.ts';
import type { RKE2ControlPlane, Rke2ConfigSpec, Rke2ServerConfig } from '../../kinds/index.ts';
import { REPORT_CHANGES } from '../../kinds/rules/report-changes.ts';
import { clusterFactsOf } from '../cluster-facts.ts';
import type { BootstrapRequest } from '../distribution.ts';
import { registrationHost, registrationUrl } from './registration.ts';
import { type JoinTokens, tokenSecretName, tokensIn } from './token-secret.ts';

const controlPlaneOf = ({ controlPlane }: BootstrapRequest): RKE2ControlPlane => {
  if (controlPlane) return controlPlane as RKE2ControlPlane;
  throw new BootstrapInvalidError(
    'Cluster spec.controlPlaneRef',
    'does not name an existing RKE2ControlPlane; an RKE2Config needs one',
  );
};

const readTokens = async (request: BootstrapRequest): Promise<JoinTokens> => {
  const name = tokenSecretName(request.cluster.metadata.name);
  const secret = await request.storedSecret(name);
  const tokens = secret && tokensIn(secret);
  if (tokens?.server) return tokens;
  throw new CertificateInvalidError(`secret ${name} key value`, 'is missing or empty; restore it');
};

/**
 * The URL at which the machine registers. The data of a pool are for instances that start much later, so they are
 * recreated when the host changes (`joining`). Throws TransientError while no server has an address of the required
 * kind.
 */
const urlOf = async (request: BootstrapRequest, controlPlane: RKE2ControlPlane): Promise<string> => {
  const host = registrationHost(controlPlane, request.cluster, await request.machines());
  if (host) return registrationUrl(host);
  throw new TransientError(
    `no server has an address yet for spec.registrationMethod ${controlPlane.spec.registrationMethod}`,
  );
};

const readManifests = async (
  request: BootstrapRequest,
  { spec }: RKE2ControlPlane,
): Promise<Readonly<Record<string, string>>> => {
  const field = 'spec.manifestsConfigMapReference';
  const { name, namespace } = spec.manifestsConfigMapReference ?? {};
  if (!name) return {};
  if (namespace && namespace !== request.machine.metadata.namespace) {
    throw new BootstrapInvalidError(`${field}.namespace`, `must be ${request.machine.metadata.namespace}`);
  }
  const manifests = await request.configMap(name);
  if (!manifests) throw new MissingReferenceError(`${field}: there is no ConfigMap "${name}"; create it`);
  const bad = Object.keys(manifests).find((file) => !/^[\w.-]+\.(ya?ml|json)$/.test(file));
  if (bad)
    throw new BootstrapInvalidError(`ConfigMap ${name} data.${bad}`, 'is not a name that ends in .yaml or .json');
  return manifests;
};

const readCertificates = async ({ authority }: BootstrapRequest, serverCa: PemPair): Promise<Rke2Certificates> => {
  const [clientCa, etcdServerCa, etcdPeerCa] = await Promise.all([
    authority('cca'),
    authority('etcd'),
    authority('peer-etcd'),
  ]);
  return { serverCa, clientCa, etcdServerCa, etcdPeerCa };
};

/**
 * The options of all machines, with the objects to which their configuration refers. Workers need little of the
 * servers' part.
 */
const readCommon = async (request: BootstrapRequest, server: Rke2ServerConfig) => {
  const spec: Rke2ConfigSpec = request.config.spec ?? {};
  const sources = { ...request, namespace: request.machine.metadata.namespace ?? '' };
  const needed = request.role === 'worker' ? { cloudProviderConfigMap: server.cloudProviderConfigMap } : server;
  const [resolved, files] = await Promise.all([
    resolveRke2References(spec, needed, sources),
    resolveRke2Files(spec, sources),
  ]);
  return { cluster: clusterFactsOf(request), spec, resolved, files };
};

/** Everything from which a machine's RKE2 files are rendered. It contains secrets, so it is passed nowhere else. */
export const rke2Input = async (request: BootstrapRequest): Promise<Rke2Input> => {
  const { role } = request;
  if (request.reports) {
    throw new BootstrapInvalidError(
      `Cluster metadata.annotations[${REPORT_CHANGES}]`,
      'is supported for control planes of kubeadm only: remove it',
    );
  }
  const controlPlane = controlPlaneOf(request);
  const server = controlPlane.spec.serverConfig ?? {};
  const { server: token, agent } = await readTokens(request);
  const serverCa = await request.authority('ca');
  const base = await readCommon(request, server);
  if (role === 'worker') {
    return {
      ...base,
      role,
      registrationUrl: await urlOf(request, controlPlane),
      token: secureToken(serverCa.certificatePem, 'node', agent),
      cloudProviderName: server.cloudProviderName,
    };
  }
  const manifests = await readManifests(request, controlPlane);
  const shared = { ...base, server, manifests, ...(agent === token ? {} : { agentToken: agent }) };
  if (role === 'init') return { ...shared, role, token, certificates: await readCertificates(request, serverCa) };
  const joinToken = secureToken(serverCa.certificatePem, 'server', token);
  return { ...shared, role, token: joinToken, registrationUrl: await urlOf(request, controlPlane) };
};
