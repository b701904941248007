import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import { type AuditSettings, startAudit } from '../workload-cluster/audit/webhook.ts';
import type { WorkloadCluster } from '../workload-cluster/cluster.ts';
import { kubeletOptions } from '../workload-cluster/kubelet-options.ts';
import { controlPlaneComponents } from '../workload-cluster/node-object.ts';
import { listenApiServer } from '../workload-cluster/server.ts';
import { auditSettings, flagsOf } from './api-server-flags.ts';
import { type ControlPlaneCertificates, issueServerCertificate } from './certificates.ts';
import type { ClusterConfiguration, LocalEndpoint, NodeRegistration } from './config.ts';
import type { MachineContext, Service, ServiceMachine } from './machine-context.ts';

/** The common options of init and join for a control plane machine. */
export interface ControlPlaneOptions {
  cluster: ClusterConfiguration;
  certificates: ControlPlaneCertificates;
  workload: WorkloadCluster;
  nodeName: string;
  endpoint: LocalEndpoint;
  /** The folder with patches of the static pods. */
  patches: string | undefined;
}

/**
 * Serves the cluster's API on this machine, on the port to which the load balancer sends, for as long as the machine
 * runs. The server stops with the machine and starts again when the instance is started.
 */
export const serveControlPlane = async (machine: MachineContext, options: ControlPlaneOptions): Promise<void> => {
  const { cluster, certificates, workload, nodeName, endpoint, patches } = options;
  const { instance, files } = machine;
  const advertiseAddress = endpoint.advertiseAddress ?? instance.privateIp;
  const certificate = await issueServerCertificate(certificates.ca, cluster, { nodeName, advertiseAddress }, machine);
  const audit = auditSettings(files, flagsOf(files, { args: cluster.apiServerArgs, patches }));
  const data: ApiServerData = {
    ...{ certificate, clientCa: certificates.ca.certificatePem, kubernetesVersion: cluster.kubernetesVersion },
    ...{ uid: workload.uid, nodeName, bindPort: endpoint.bindPort, port: 0 },
    ...(audit ? { audit } : {}),
  };
  await machine.start({ kind: 'api-server', data });
  machine.files.write('/etc/kubernetes/manifests/kube-apiserver.yaml', '');
};

/** The data with which an API server of kubeadm is installed. */
interface ApiServerData {
  certificate: PemPair;
  clientCa: string;
  kubernetesVersion: string;
  uid: string;
  nodeName: string;
  bindPort: number;
  /** Its last port on this computer; 0 before the first start. */
  port: number;
  audit?: AuditSettings;
}

/** The API server and the etcd member of a machine. */
export const apiServer =
  (machine: ServiceMachine, data: ApiServerData): Service =>
  async (signal, onReady) => {
    const { instance, dataPlane, clock, random, log, clusters } = machine;
    const { uid, nodeName, bindPort, audit } = data;
    const workload = clusters.find(uid);
    if (!workload) throw new Error(`the state of the cluster ${uid} is lost`);
    workload.etcd.setAlive(nodeName, true);
    const record = audit && startAudit(audit, machine, signal);
    const server = await listenApiServer({ workload, ...data, record, clock, random, log });
    data.port = server.port;
    const address = { host: '127.0.0.1', port: server.port };
    machine.listens(bindPort, address, signal);
    dataPlane.serve(instance.id, bindPort, address);
    onReady();
    await aborted(signal);
    dataPlane.withdraw(instance.id, bindPort);
    workload.etcd.setAlive(nodeName, false);
    await server.close();
  };

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export interface KubeletStart {
  registration: NodeRegistration;
  nodeName: string;
  version: string;
  /** `host:port`. */
  endpoint: string;
  /** PEM. */
  ca: string;
  certificate: PemPair;
  /** Set on a control plane node. */
  imageRepository?: string;
}

/** Starts the kubelet. Throws KubeadmError if the kubelet would reject its flags. */
export const startKubelet = (machine: MachineContext, start: KubeletStart): Promise<void> => {
  const { registration, nodeName, version } = start;
  const options = kubeletOptions(registration, { nodeName, version, instance: machine.instance });
  const staticPods = start.imageRepository ? controlPlaneComponents(start.imageRepository, version) : [];
  const { endpoint, ca, certificate } = start;
  return machine.start({ kind: 'kubelet', data: { options, endpoint, ca, certificate, staticPods } });
};
