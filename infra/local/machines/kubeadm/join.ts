import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import { publicKeyHashes } from '../../../../shared/bootstrap/certificates/public-key-hash.ts';
import type { WorkloadCluster } from '../workload-cluster/cluster.ts';
import { EtcdError } from '../workload-cluster/etcd.ts';
import { nodeNameOf } from '../workload-cluster/kubelet-options.ts';
import { markControlPlane } from './admin.ts';
import { type ApiClient, connectApi, isMissing, type Json } from './api-client.ts';
import { type ControlPlaneCertificates, issueClientCertificate, requireCertificates } from './certificates.ts';
import {
  type ClusterConfiguration,
  type JoinConfiguration,
  type KubeadmFile,
  parseClusterConfiguration,
} from './config.ts';
import { serveControlPlane, startKubelet } from './control-plane.ts';
import { type Discovered, discover, readConfigMap } from './discovery.ts';
import { KubeadmError, messageOf } from './error.ts';
import { section, sections, text } from './fields.ts';
import type { MachineContext } from './machine-context.ts';
import { makeSigningRequest } from './signing-request.ts';
import { adminGroup, checkVersions } from './version.ts';
import { retryFor } from './wait.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/** How long a new etcd member takes to catch up before it can vote. */
const PROMOTION_MILLISECONDS = 200;

const say = ({ bootLog }: MachineContext, line: string): void => bootLog.line('kubeadm', line);

const failPhase = (machine: MachineContext, name: string, error: unknown): unknown =>
  machine.signal.aborted || error instanceof KubeadmError
    ? error
    : new KubeadmError(`error execution phase ${name}: ${messageOf(error)}`, { cause: error });

/** Otherwise, a ready node with the same name would be taken over. */
const checkNodeName = async (api: ApiClient, nodeName: string): Promise<void> => {
  let node: Json;
  try {
    node = await api.call('GET', `/api/v1/nodes/${nodeName}`);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  const ready = sections(section(node, 'status'), 'conditions').find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') {
    throw new KubeadmError(`a Node with name "${nodeName}" and status "Ready" already exists in the cluster`);
  }
};

/** The kubelet's TLS bootstrap: requests a client certificate with the token and waits until it is signed. */
const bootstrapKubelet = async (
  machine: MachineContext,
  api: ApiClient,
  nodeName: string,
  milliseconds: number,
): Promise<PemPair> => {
  const { requestPem, privateKeyPem } = await makeSigningRequest(nodeName);
  const created = await retryFor(milliseconds, machine, () =>
    api.call('POST', REQUESTS, {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { generateName: 'csr-' },
      spec: {
        request: Buffer.from(requestPem).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages: ['digital signature', 'client auth'],
      },
    }),
  );
  const path = `${REQUESTS}/${String(section(created, 'metadata').name)}`;
  const certificate = await retryFor(
    milliseconds,
    { ...machine, retryMilliseconds: Math.min(machine.retryMilliseconds, 100) },
    async () => {
      const status = section(await api.call('GET', path), 'status');
      const refused = sections(status, 'conditions').find(({ type }) => type === 'Denied' || type === 'Failed');
      if (refused) throw new KubeadmError(`certificate request was ${refused.type}: ${refused.message}`);
      return text(status, 'certificate');
    },
    (error) => error instanceof KubeadmError,
  );
  return { certificatePem: Buffer.from(certificate, 'base64').toString('utf8'), privateKeyPem };
};

interface JoinRun {
  machine: MachineContext;
  join: JoinConfiguration;
  cluster: ClusterConfiguration;
  found: Discovered;
  nodeName: string;
  /** Set if the machine joins the control plane. */
  certificates: ControlPlaneCertificates | undefined;
}

/** Finds the etcd to join: reads the identity of the cluster with a certificate from the machine's own CA. */
const findCluster = async ({ machine, join }: JoinRun, admin: ApiClient): Promise<WorkloadCluster> => {
  const system = await retryFor(join.timeouts.kubernetesApiCall, machine, () =>
    admin.call('GET', '/api/v1/namespaces/kube-system'),
  );
  const workload = machine.clusters.find(String(section(system, 'metadata').uid));
  if (!workload) throw new KubeadmError('the API server is not one of a simulated machine: its etcd cannot be joined');
  return workload;
};

const joinEtcd = async ({ machine, join, nodeName }: JoinRun, workload: WorkloadCluster, etcdCa: PemPair) => {
  const [ours] = publicKeyHashes(etcdCa.certificatePem);
  if (ours !== publicKeyHashes(workload.etcdCa.certificatePem)[0]) {
    throw new KubeadmError(
      'error execution phase etcd-join: error creating local etcd static pod manifest file: transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown authority',
    );
  }
  let lastReason = '';
  await retryFor(join.timeouts.etcdApiCall, machine, async () => {
    try {
      workload.etcd.addLearner(nodeName, { owner: machine.instance.id, address: machine.instance.privateIp });
      return true;
    } catch (error) {
      if (error instanceof EtcdError && error.message !== lastReason) say(machine, `[etcd] ${error.message}`);
      lastReason = messageOf(error);
      throw error;
    }
  });
  say(machine, '[etcd] Announced new etcd member joining to the existing etcd cluster');
  machine.holds({ uid: workload.uid, name: nodeName });
  // A machine that is stopped here leaves a learner behind, which blocks the next one, as in reality.
  await machine.clock.sleep(PROMOTION_MILLISECONDS, machine.signal);
  workload.etcd.promote(nodeName);
};

/** The additional parts of a join for a control plane machine, before and after the kubelet's start. */
const joinControlPlane = async (
  run: JoinRun,
  certificates: ControlPlaneCertificates,
  startNode: () => Promise<void>,
): Promise<void> => {
  const { machine, join, cluster, found, nodeName } = run;
  const certificate = await issueClientCertificate(
    certificates.ca,
    { commonName: 'kubernetes-admin', organization: adminGroup(machine.imageVersion ?? cluster.kubernetesVersion) },
    machine,
  );
  const admin = connectApi({
    endpoint: found.endpoint,
    ca: certificates.ca.certificatePem,
    certificate,
    route: machine.route,
  });
  try {
    const workload = await findCluster(run, admin);
    await startNode();
    if (!machine.resumed('api-server')) {
      await joinEtcd(run, workload, certificates.etcd);
      const endpoint = join.controlPlane ?? { advertiseAddress: undefined, bindPort: 6443 };
      const { patches } = join;
      await serveControlPlane(machine, { cluster, certificates, workload, nodeName, endpoint, patches });
    }
    await retryFor(join.timeouts.kubernetesApiCall, machine, () =>
      markControlPlane(admin, nodeName, join.nodeRegistration.taints),
    );
    say(machine, `[mark-control-plane] Marking the node ${nodeName} as control-plane`);
  } catch (error) {
    throw failPhase(machine, 'control-plane-join', error);
  } finally {
    admin.close();
  }
};

const preflight = async (machine: MachineContext, file: KubeadmFile, join: JoinConfiguration): Promise<JoinRun> => {
  const nodeName = nodeNameOf(join.nodeRegistration, machine.instance);
  const found = await discover(join, machine, machine.route, (line) => say(machine, line));
  const api = connectApi({ ...found, token: `${found.token.id}.${found.token.secret}`, route: machine.route });
  try {
    say(machine, '[preflight] Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"');
    const get = (path: string): Promise<Json> => api.call('GET', path);
    const data = await readConfigMap(get, 'kubeadm-config', join.timeouts.kubernetesApiCall, machine);
    const cluster = parseClusterConfiguration(text(data, 'ClusterConfiguration') ?? '');
    checkVersions(machine.imageVersion, file.version, cluster.kubernetesVersion);
    await readConfigMap(get, 'kubelet-config', join.timeouts.kubernetesApiCall, machine);
    if (!machine.resumed('kubelet')) await checkNodeName(api, nodeName);
    const certificates =
      join.controlPlane && requireCertificates(machine.files, cluster.certificatesDir, machine.clock.now());
    return { machine, join, cluster, found, nodeName, certificates };
  } finally {
    api.close();
  }
};

const startNode = async ({ machine, join, cluster, found, nodeName }: JoinRun): Promise<void> => {
  const api = connectApi({ ...found, token: `${found.token.id}.${found.token.secret}`, route: machine.route });
  try {
    say(machine, '[kubelet-start] Waiting for the kubelet to perform the TLS Bootstrap');
    const certificate = await bootstrapKubelet(machine, api, nodeName, join.timeouts.tlsBootstrap);
    await startKubelet(machine, {
      registration: join.nodeRegistration,
      nodeName,
      version: machine.imageVersion ?? cluster.kubernetesVersion,
      endpoint: found.endpoint,
      ca: found.ca,
      certificate,
      ...(join.controlPlane ? { imageRepository: cluster.imageRepository } : {}),
    });
  } catch (error) {
    throw failPhase(machine, 'kubelet-start', error);
  } finally {
    api.close();
  }
};

/** `kubeadm join` of a worker or a control plane machine. Throws KubeadmError with the phase and the reason. */
export const runJoin = async (machine: MachineContext, file: KubeadmFile): Promise<void> => {
  const { join } = file;
  // Runs `kubeadm reset` before another attempt after one that failed halfway.
  const hasKubelet = machine.resumed('kubelet') !== undefined;
  if (!hasKubelet) await machine.reset();
  if (!join) throw new KubeadmError('no JoinConfiguration in the configuration file');
  say(machine, '[preflight] Running pre-flight checks');
  let run: JoinRun;
  try {
    run = await preflight(machine, file, join);
  } catch (error) {
    if (machine.signal.aborted) throw error;
    throw new KubeadmError(`error execution phase preflight: ${messageOf(error)}`, { cause: error });
  }
  if (!run.certificates) {
    if (!hasKubelet) await startNode(run);
    return say(machine, 'This node has joined the cluster');
  }
  await joinControlPlane(run, run.certificates, async () => {
    if (!hasKubelet) await startNode(run);
  });
  say(machine, 'This node has joined the cluster and a new control plane instance was created');
};
