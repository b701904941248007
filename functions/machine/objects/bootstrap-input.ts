import type { ClusterCertificates } from '../../../shared/bootstrap/certificates/authority.ts';
import { fromSecret, secretName } from '../../../shared/bootstrap/certificates/secrets.ts';
import { CertificateInvalidError } from '../../../shared/bootstrap/invalid.ts';
import type { MachineToken } from '../../../shared/bootstrap/kubeadm/init-configuration.ts';
import type { BootstrapInput } from '../../../shared/bootstrap/kubeadm/input.ts';
import type { ClusterFacts } from '../../../shared/bootstrap/kubeadm/spec.ts';
import { resolveReferences } from '../../../shared/bootstrap/references.ts';
import { machineToken, tokenDescription, tokenSeed } from '../../../shared/bootstrap/tokens.ts';
import { TransientError } from '../../../shared/errors.ts';
import { type KubeadmConfig, kinds, type Secret } from '../../../shared/kinds/index.ts';
import type { MachineRef } from '../../../shared/work/payloads.ts';
import { isControlPlaneMachine, type MachineSnapshot } from '../read-machine.ts';
import type { MachineObjectsDependencies } from './dependencies.ts';
import { takesInit } from './init-lock.ts';

const readSecret = async (
  { objects }: MachineObjectsDependencies,
  namespace: string,
  name: string,
): Promise<Secret> => {
  const secret = await objects.get(kinds.secret, { namespace, name });
  if (!secret) throw new CertificateInvalidError(`secret ${namespace}/${name}`, 'does not exist; restore it');
  return secret;
};

const readCertificates = async (
  deps: MachineObjectsDependencies,
  ref: MachineRef,
  external: boolean,
): Promise<ClusterCertificates> => {
  const now = deps.clock.now();
  const read = async (purpose: 'ca' | 'etcd' | 'proxy' | 'sa') => {
    const secret = await readSecret(deps, ref.namespace, secretName(ref.clusterName, purpose));
    return fromSecret(secret, { purpose, now, external });
  };
  const [ca, etcd, proxy, sa] = await Promise.all([read('ca'), read('etcd'), read('proxy'), read('sa')]);
  if (!external) return { ca, etcd, proxy, sa };
  const name = secretName(ref.clusterName, 'apiserver-etcd-client');
  const client = fromSecret(await readSecret(deps, ref.namespace, name), { purpose: 'apiserver-etcd-client', now });
  return { ca, etcd, proxy, sa, apiserverEtcdClient: client };
};

const factsOf = ({ cluster, machine }: MachineSnapshot): ClusterFacts => {
  const endpoint = cluster?.spec.controlPlaneEndpoint;
  if (!cluster || !endpoint?.host || !endpoint.port) {
    throw new TransientError('the Cluster has no control plane endpoint yet');
  }
  const network = cluster.spec.clusterNetwork;
  return {
    name: cluster.metadata.name,
    endpoint: { host: endpoint.host, port: endpoint.port },
    podCidrs: network?.pods?.cidrBlocks ?? [],
    serviceCidrs: network?.services?.cidrBlocks ?? [],
    dnsDomain: network?.serviceDomain ?? 'cluster.local',
    version: machine.spec.version ?? '',
  };
};

/** The tokens of all machines of the first formation but this one, which the init machine makes valid from the start. */
const otherTokens = async (
  { objects }: MachineObjectsDependencies,
  ref: MachineRef,
  seed: Uint8Array,
): Promise<MachineToken[]> => {
  const machines = await objects.listOfCluster(kinds.machine, ref.namespace, ref.clusterName);
  return machines
    .filter(({ metadata }) => metadata.uid !== ref.uid && !metadata.deletionTimestamp)
    .map(({ metadata }) => ({
      token: machineToken(seed, metadata.uid ?? ''),
      description: tokenDescription(metadata.name),
    }));
};

/** Everything that a machine's bootstrap data is rendered from; holds secrets, so it goes nowhere else. */
export const bootstrapInput = async (
  deps: MachineObjectsDependencies,
  snapshot: MachineSnapshot,
  config: KubeadmConfig,
  ref: MachineRef,
): Promise<BootstrapInput> => {
  const { objects } = deps;
  const cluster = factsOf(snapshot);
  const spec = config.spec ?? {};
  const resolved = await resolveReferences(spec, async (name) => {
    const secret = await objects.get(kinds.secret, { namespace: ref.namespace, name });
    return secret && decoded(secret);
  });
  const external = spec.clusterConfiguration?.etcd?.external !== undefined;
  const base = { cluster, spec, ...resolved };
  if (!isControlPlaneMachine(snapshot.machine)) {
    const secret = await readSecret(deps, ref.namespace, secretName(ref.clusterName, 'ca'));
    const ca = fromSecret(secret, { purpose: 'ca', now: deps.clock.now() });
    const token = machineToken(tokenSeed(ca.privateKeyPem), ref.uid);
    return { ...base, role: 'worker', caCertificatePem: ca.certificatePem, token };
  }
  const certificates = await readCertificates(deps, ref, external);
  const seed = tokenSeed(certificates.ca.privateKeyPem);
  const initialized = snapshot.cluster?.status?.initialization?.controlPlaneInitialized === true;
  if (!initialized && snapshot.cluster && (await takesInit(objects, snapshot.cluster, ref))) {
    return { ...base, role: 'init', certificates, tokens: await otherTokens(deps, ref, seed) };
  }
  return { ...base, role: 'control-plane', certificates, token: machineToken(seed, ref.uid) };
};

const decoded = (secret: Secret): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')]));
