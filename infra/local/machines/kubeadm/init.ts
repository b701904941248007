import { stringify } from 'yaml';
import { createWorkloadCluster } from '../workload-cluster/cluster.ts';
import { nodeNameOf } from '../workload-cluster/kubelet-options.ts';
import { putAddons } from './addons.ts';
import { configMap, configMaps, markControlPlane, put, putBindings } from './admin.ts';
import { type ApiClient, connectApi } from './api-client.ts';
import { type ControlPlaneCertificates, issueClientCertificate, prepareCertificates } from './certificates.ts';
import type { ClusterConfiguration, InitConfiguration, KubeadmFile } from './config.ts';
import { serveControlPlane, startKubelet } from './control-plane.ts';
import { KubeadmError, messageOf } from './error.ts';
import { clusterInfo, tokenSecret } from './init-objects.ts';
import type { MachineContext } from './machine-context.ts';
import { adminGroup, checkVersions, waitsForOwnServer } from './version.ts';
import { retryFor } from './wait.ts';

const SECRETS = '/api/v1/namespaces/kube-system/secrets';

interface InitRun {
  machine: MachineContext;
  cluster: ClusterConfiguration;
  init: InitConfiguration;
  nodeName: string;
  /** The API's `host:port` for all clients. */
  endpoint: string;
  certificates: ControlPlaneCertificates;
  api: ApiClient;
}

const phase = async <T>({ machine, init }: InitRun, name: string, work: () => Promise<T | undefined>): Promise<T> => {
  try {
    return await retryFor(init.timeouts.kubernetesApiCall, machine, work);
  } catch (error) {
    if (machine.signal.aborted) throw error;
    throw new KubeadmError(`error execution phase ${name}: ${messageOf(error)}`, { cause: error });
  }
};

const say = ({ bootLog }: MachineContext, text: string): void => bootLog.line('kubeadm', text);

/** The image includes kubeadm and kubelet. */
const kubeadmVersion = ({ machine, cluster }: Pick<InitRun, 'machine' | 'cluster'>): string =>
  machine.imageVersion ?? cluster.kubernetesVersion;

/** All of kubeadm's steps through the API, in the order of its phases. Each write may be repeated. */
const configureCluster = async (run: InitRun): Promise<void> => {
  const { machine, cluster, init, nodeName, endpoint, certificates, api } = run;
  const write = (name: string, work: () => Promise<void>): Promise<true> =>
    phase(run, name, async () => {
      await work();
      return true as const;
    });
  const putMap = (namespace: string, name: string, data: Record<string, string>): Promise<void> =>
    put(api, configMaps(namespace), configMap(namespace, name, data));

  const document = stringify({ ...cluster.document, kubernetesVersion: cluster.kubernetesVersion });
  await write('upload-config/kubeadm', () =>
    putMap('kube-system', 'kubeadm-config', { ClusterConfiguration: document }),
  );
  say(machine, '[upload-config] Storing the configuration used in ConfigMap "kubeadm-config"');
  const kubelet = stringify({ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' });
  await write('upload-config/kubelet', () => putMap('kube-system', 'kubelet-config', { kubelet }));
  await phase(run, 'mark-control-plane', () => markControlPlane(api, nodeName, init.nodeRegistration.taints));
  say(machine, `[mark-control-plane] Marking the node ${nodeName} as control-plane`);
  for (const token of init.bootstrapTokens) {
    const secret = tokenSecret(token, machine.clock.now());
    await write('bootstrap-token', () => put(api, SECRETS, secret));
  }
  await write('bootstrap-token', () => putBindings(api, adminGroup(kubeadmVersion(run))));
  const kubeconfig = clusterInfo(endpoint, certificates.ca.certificatePem);
  await write('bootstrap-token', () => putMap('kube-public', 'cluster-info', { kubeconfig }));
  say(machine, '[bootstrap-token] Creating the "cluster-info" ConfigMap in the "kube-public" namespace');
  await write('addon', () => putAddons(api, cluster));
};

/** Through the endpoint or directly on the machine, depending on kubeadm's version. */
const waitForApi = async ({ machine, init }: InitRun, api: ApiClient): Promise<void> => {
  let lastReason = '';
  try {
    await retryFor(init.timeouts.controlPlaneComponentHealthCheck, machine, async () => {
      try {
        return await api.call('GET', '/readyz');
      } catch (error) {
        if (messageOf(error) !== lastReason) say(machine, `[wait-control-plane] ${messageOf(error)}`);
        lastReason = messageOf(error);
        throw error;
      }
    });
  } catch (error) {
    if (machine.signal.aborted) throw error;
    throw new KubeadmError(`error execution phase wait-control-plane: ${messageOf(error)}`, { cause: error });
  }
};

const requireInit = ({ cluster, init }: KubeadmFile): { cluster: ClusterConfiguration; init: InitConfiguration } => {
  if (!cluster || !init) throw new KubeadmError('no ClusterConfiguration in the configuration file');
  if (cluster.isEtcdExternal) throw new KubeadmError('etcd.external: the simulated machine runs stacked etcd only');
  return { cluster, init };
};

const endpointOf = (cluster: ClusterConfiguration, { endpoint }: InitConfiguration, { instance }: MachineContext) =>
  cluster.controlPlaneEndpoint ?? `${endpoint.advertiseAddress ?? instance.privateIp}:${endpoint.bindPort}`;

type Started = Omit<InitRun, 'api'>;

/** Starts etcd and the API server of the new cluster on this machine. */
const startControlPlane = async (run: Started): Promise<void> => {
  const { machine, cluster, init, nodeName, certificates } = run;
  const { ca, etcd: etcdCa } = certificates;
  const { clock, random, log, instance } = machine;
  const members = { firstMember: nodeName, firstHost: { owner: instance.id, address: instance.privateIp } };
  const workload = await createWorkloadCluster({
    ...members,
    ...{ ca, etcdCa, clock, random, log },
    instances: machine.clusters.instancesBeside(instance),
    vpcId: instance.vpcId,
    podNetworks: cluster.podSubnet?.split(',') ?? [],
    vault: machine.clusters.vault,
  });
  machine.clusters.add(workload);
  machine.holds({ uid: workload.uid, name: nodeName });
  await serveControlPlane(machine, {
    cluster,
    certificates,
    workload,
    nodeName,
    endpoint: init.endpoint,
    patches: init.patches,
  });
};

const startFirstKubelet = async ({ machine, cluster, init, nodeName, endpoint, certificates }: Started) => {
  const subject = { commonName: `system:node:${nodeName}`, organization: 'system:nodes' };
  await startKubelet(machine, {
    registration: init.nodeRegistration,
    nodeName,
    version: kubeadmVersion({ machine, cluster }),
    endpoint,
    ca: certificates.ca.certificatePem,
    certificate: await issueClientCertificate(certificates.ca, subject, machine),
    imageRepository: cluster.imageRepository,
  });
};

/**
 * `kubeadm init`. Throws KubeadmError if the configuration, the certificates or the endpoint do not allow a cluster. An
 * API server that was already started continues to run, as in reality. If the phases that start it are in `skipped`,
 * they have already run.
 */
export const runInit = async (
  machine: MachineContext,
  file: KubeadmFile,
  skipped: readonly string[] = [],
): Promise<void> => {
  const { cluster, init } = requireInit(file);
  checkVersions(machine.imageVersion, file.version, cluster.kubernetesVersion);
  say(machine, `[init] Using Kubernetes version: ${cluster.kubernetesVersion}`);
  const nodeName = nodeNameOf(init.nodeRegistration, machine.instance);
  const certificates = await prepareCertificates(machine.files, cluster.certificatesDir, machine, (text) =>
    say(machine, text),
  );
  const endpoint = endpointOf(cluster, init, machine);
  const started: Started = { machine, cluster, init, nodeName, endpoint, certificates };
  const isThere = (kind: 'api-server' | 'kubelet') => machine.resumed(kind) !== undefined;
  if (!skipped.includes('control-plane') && !isThere('api-server')) await startControlPlane(started);
  if (!skipped.includes('kubelet-start') && !isThere('kubelet')) await startFirstKubelet(started);
  // super-admin.conf, which needs no binding, because none exists yet.
  const subject = { commonName: 'kubernetes-super-admin', organization: 'system:masters' };
  const certificate = await issueClientCertificate(certificates.ca, subject, machine);
  const target = { endpoint, ca: certificates.ca.certificatePem, certificate };
  const api = connectApi({ ...target, route: machine.route });
  const own = connectApi({ ...target, route: () => machine.ownAddress(init.endpoint.bindPort) });
  try {
    const isLocal = waitsForOwnServer(kubeadmVersion({ machine, cluster }));
    say(machine, `[wait-control-plane] Waiting for a healthy API server at ${isLocal ? 'this machine' : endpoint}`);
    await waitForApi({ ...started, api }, isLocal ? own : api);
    await configureCluster({ ...started, api });
  } finally {
    own.close();
    api.close();
  }
  machine.signal.throwIfAborted();
  say(machine, 'Your Kubernetes control-plane has initialized successfully!');
};
