import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { WorkloadCluster } from '../workload-cluster/cluster.ts';
import { makeKubelet } from '../workload-cluster/kubelet.ts';
import { kubeletOptions } from '../workload-cluster/kubelet-options.ts';
import { controlPlaneComponents } from '../workload-cluster/node-object.ts';
import { listenApiServer } from '../workload-cluster/server.ts';
import { type ControlPlaneCertificates, issueServerCertificate } from './certificates.ts';
import type { ClusterConfiguration, LocalEndpoint, NodeRegistration } from './config.ts';
import type { MachineContext } from './machine-context.ts';

/** What init and join of a control plane machine have in common. */
export interface ControlPlaneOptions {
  cluster: ClusterConfiguration;
  certificates: ControlPlaneCertificates;
  workload: WorkloadCluster;
  nodeName: string;
  endpoint: LocalEndpoint;
}

/**
 * Serves the cluster's API on this machine, under the port that the load balancer sends to, for as long as the machine
 * runs. The server goes away with the machine and comes back when the instance is started again.
 */
export const serveControlPlane = async (machine: MachineContext, options: ControlPlaneOptions): Promise<void> => {
  const { cluster, certificates, workload, nodeName, endpoint } = options;
  const { instance, dataPlane } = machine;
  const advertiseAddress = endpoint.advertiseAddress ?? instance.privateIp;
  const certificate = await issueServerCertificate(certificates.ca, cluster, { nodeName, advertiseAddress }, machine);
  let listening: (() => void) | undefined;
  const isListening = new Promise<void>((resolve) => {
    listening = resolve;
  });
  machine.start(async (signal) => {
    workload.etcd.setAlive(nodeName, true);
    const server = await listenApiServer({
      workload,
      certificate,
      clientCa: certificates.ca.certificatePem,
      kubernetesVersion: cluster.kubernetesVersion,
      clock: machine.clock,
      random: machine.random,
      log: machine.log,
    });
    const address = { host: '127.0.0.1', port: server.port };
    machine.listens(endpoint.bindPort, address, signal);
    dataPlane.serve(instance.id, endpoint.bindPort, address);
    listening?.();
    await aborted(signal);
    dataPlane.withdraw(instance.id, endpoint.bindPort);
    workload.etcd.setAlive(nodeName, false);
    await server.close();
  });
  await isListening;
  machine.files.write('/etc/kubernetes/manifests/kube-apiserver.yaml', '');
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

/** Starts the kubelet. Throws KubeadmError where it would refuse its flags. */
export const startKubelet = (machine: MachineContext, start: KubeletStart): void => {
  const { registration, nodeName, version } = start;
  const options = kubeletOptions(registration, { nodeName, version, instance: machine.instance });
  const staticPods = start.imageRepository ? controlPlaneComponents(start.imageRepository, version) : [];
  const { clock, bootLog, retryMilliseconds } = machine;
  const { endpoint, ca, certificate } = start;
  const { route } = machine;
  machine.start(
    makeKubelet({ options, endpoint, ca, certificate, staticPods, clock, bootLog, retryMilliseconds, route }),
  );
};
