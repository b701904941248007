import { stringify } from 'yaml';
import { formatTime } from '../../../../shared/kube-api/object.ts';
import { createWorkloadCluster } from '../workload-cluster/cluster.ts';
import { nodeNameOf } from '../workload-cluster/kubelet-options.ts';
import { configMap, configMaps, markControlPlane, put, putAddons, putBindings } from './admin.ts';
import { type ApiClient, connectApi, type Json } from './api-client.ts';
import { parseToken } from './bootstrap-token.ts';
import { type ControlPlaneCertificates, issueClientCertificate, prepareCertificates } from './certificates.ts';
import type { BootstrapToken, ClusterConfiguration, InitConfiguration, KubeadmFile } from './config.ts';
import { serveControlPlane, startKubelet } from './control-plane.ts';
import { KubeadmError, messageOf } from './error.ts';
import type { MachineContext } from './machine-context.ts';
import { checkVersions } from './version.ts';
import { retryFor } from './wait.ts';

const SECRETS = '/api/v1/namespaces/kube-system/secrets';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const tokenSecret = (token: BootstrapToken, now: Date): Json => {
  const parts = parseToken(token.token);
  if (!parts) throw new KubeadmError('bootstrapTokens: Invalid value: the bootstrap token has not the right form');
  const expiration = token.expires ?? formatTime(new Date(now.getTime() + token.ttlMilliseconds));
  const values = {
    'token-id': parts.id,
    'token-secret': parts.secret,
    ...(token.ttlMilliseconds > 0 || token.expires ? { expiration } : {}),
    ...Object.fromEntries(token.usages.map((usage) => [`usage-bootstrap-${usage}`, 'true'])),
    ...(token.groups.length > 0 ? { 'auth-extra-groups': token.groups.join(',') } : {}),
    ...(token.description ? { description: token.description } : {}),
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${parts.id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, base64(value)])),
  };
};

/** The kubeconfig that cluster-info shows to everybody: server and CA, no user. */
const clusterInfo = (endpoint: string, ca: string): string =>
  stringify({
    apiVersion: 'v1',
    clusters: [{ cluster: { 'certificate-authority-data': base64(ca), server: `https://${endpoint}` }, name: '' }],
    contexts: null,
    'current-context': '',
    kind: 'Config',
    preferences: {},
    users: null,
  });

interface InitRun {
  machine: MachineContext;
  cluster: ClusterConfiguration;
  init: InitConfiguration;
  nodeName: string;
  /** `host:port` by which everybody reaches the API. */
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

/** Everything that kubeadm does through the API, in the order of its phases. Each write may be repeated. */
const configureCluster = async (run: InitRun): Promise<void> => {
  const { machine, cluster, init, nodeName, endpoint, certificates, api } = run;
  const done = async (work: Promise<unknown>): Promise<true> => {
    await work;
    return true;
  };
  const document = stringify({ ...cluster.document, kubernetesVersion: cluster.kubernetesVersion });
  await phase(run, 'upload-config/kubeadm', () =>
    done(
      put(
        api,
        configMaps('kube-system'),
        configMap('kube-system', 'kubeadm-config', { ClusterConfiguration: document }),
      ),
    ),
  );
  say(
    machine,
    '[upload-config] Storing the configuration used in ConfigMap "kubeadm-config" in the "kube-system" Namespace',
  );
  const kubelet = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' };
  await phase(run, 'upload-config/kubelet', () =>
    done(
      put(api, configMaps('kube-system'), configMap('kube-system', 'kubelet-config', { kubelet: stringify(kubelet) })),
    ),
  );
  await phase(run, 'mark-control-plane', () => markControlPlane(api, nodeName, init.nodeRegistration.taints));
  say(machine, `[mark-control-plane] Marking the node ${nodeName} as control-plane`);
  for (const token of init.bootstrapTokens) {
    const secret = tokenSecret(token, machine.clock.now());
    await phase(run, 'bootstrap-token', () => done(put(api, SECRETS, secret)));
  }
  await phase(run, 'bootstrap-token', () => done(putBindings(api)));
  const kubeconfig = clusterInfo(endpoint, certificates.ca.certificatePem);
  await phase(run, 'bootstrap-token', () =>
    done(put(api, configMaps('kube-public'), configMap('kube-public', 'cluster-info', { kubeconfig }))),
  );
  say(machine, '[bootstrap-token] Creating the "cluster-info" ConfigMap in the "kube-public" namespace');
  await phase(run, 'addon', () => done(putAddons(api, cluster)));
};

const requireInit = ({ cluster, init }: KubeadmFile): { cluster: ClusterConfiguration; init: InitConfiguration } => {
  if (!cluster || !init) throw new KubeadmError('no ClusterConfiguration in the configuration file');
  if (cluster.isEtcdExternal) throw new KubeadmError('etcd.external: the simulated machine runs stacked etcd only');
  return { cluster, init };
};

const adminOf = ({ certificates, machine }: Pick<InitRun, 'certificates' | 'machine'>) =>
  issueClientCertificate(
    certificates.ca,
    { commonName: 'kubernetes-admin', organization: 'kubeadm:cluster-admins' },
    machine,
  );

/**
 * `kubeadm init`. Throws KubeadmError where the configuration, the certificates or the endpoint do not allow a cluster;
 * an API server that was started by then goes on running, as in life.
 */
export const runInit = async (machine: MachineContext, file: KubeadmFile): Promise<void> => {
  const { cluster, init } = requireInit(file);
  const { clock, random, log, signal } = machine;
  const version = machine.imageVersion ?? cluster.kubernetesVersion;
  checkVersions(machine.imageVersion, file.version, cluster.kubernetesVersion);
  say(machine, `[init] Using Kubernetes version: ${cluster.kubernetesVersion}`);
  const nodeName = nodeNameOf(init.nodeRegistration, machine.instance);
  const certificates = await prepareCertificates(machine.files, cluster.certificatesDir, machine, (text) =>
    say(machine, text),
  );
  const workload = await createWorkloadCluster({
    firstMember: nodeName,
    ca: certificates.ca,
    etcdCa: certificates.etcd,
    clock,
    random,
    log,
  });
  machine.clusters.add(workload);
  machine.onDiskLost(() => machine.clusters.lose(workload.uid, nodeName));
  await serveControlPlane(machine, { cluster, certificates, workload, nodeName, endpoint: init.endpoint });
  const endpoint =
    cluster.controlPlaneEndpoint ??
    `${init.endpoint.advertiseAddress ?? machine.instance.privateIp}:${init.endpoint.bindPort}`;
  startKubelet(machine, {
    registration: init.nodeRegistration,
    nodeName,
    version,
    endpoint,
    ca: certificates.ca.certificatePem,
    certificate: await issueClientCertificate(
      certificates.ca,
      { commonName: `system:node:${nodeName}`, organization: 'system:nodes' },
      machine,
    ),
    imageRepository: cluster.imageRepository,
  });
  const admin = await adminOf({ certificates, machine });
  const api = connectApi({ endpoint, ca: certificates.ca.certificatePem, certificate: admin });
  try {
    say(machine, `[wait-control-plane] Waiting for a healthy API server at ${endpoint}`);
    await waitForApi(api, { machine, init });
    await configureCluster({ machine, cluster, init, nodeName, endpoint, certificates, api });
  } finally {
    api.close();
  }
  signal.throwIfAborted();
  say(machine, 'Your Kubernetes control-plane has initialized successfully!');
};

/** Through the load balancer, because kubeadm's next phases and every other machine need it. */
const waitForApi = async (api: ApiClient, { machine, init }: Pick<InitRun, 'machine' | 'init'>): Promise<void> => {
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
