import { issueCertificate } from '../../../../shared/bootstrap/certificates/issue.ts';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import { REGISTRATION_PORT } from '../../../../shared/bootstrap/rke2/paths.ts';
import { firstServiceIp } from '../kubeadm/certificates.ts';
import type { MachineContext, Service, ServiceMachine } from '../kubeadm/machine-context.ts';
import type { WorkloadCluster } from '../workload-cluster/cluster.ts';
import { listenApiServer } from '../workload-cluster/server.ts';
import type { Rke2Authorities } from './authorities.ts';
import { parseToken, type Rke2Config } from './config.ts';
import { listenSupervisor } from './supervisor.ts';

const API_PORT = 6443;

export interface ServerOptions {
  config: Rke2Config;
  authorities: Rke2Authorities;
  workload: WorkloadCluster;
  nodeName: string;
  version: string;
}

/** The certificate of the API server and of the supervisor. */
const servingCertificate = (
  machine: MachineContext,
  { config, authorities, nodeName }: ServerOptions,
): Promise<PemPair> => {
  const names = [
    nodeName,
    'localhost',
    '127.0.0.1',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    `kubernetes.default.svc.${config.clusterDomain}`,
    firstServiceIp(config.serviceCidr) ?? '',
    machine.instance.privateIp,
    ...config.tlsSan,
  ];
  const sans = [...new Set(names.filter((name) => name !== ''))];
  const { clock, random } = machine;
  return issueCertificate(
    authorities.serverCa,
    { commonName: 'rke2', usages: ['server'], sans, algorithm: 'ECDSA-P256' },
    { clock, random, keys: webCryptoKeys },
  );
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * Serves the cluster's API and lets machines join, for as long as this machine runs. Resolves to the address at which
 * the machine itself reaches its API server, which stays the same after a stop and start.
 */
export const serveCluster = async (machine: MachineContext, options: ServerOptions): Promise<string> => {
  const { config, authorities, workload, nodeName, version } = options;
  const certificate = await servingCertificate(machine, options);
  const { password } = parseToken(config.token ?? '');
  const passwords = { server: password, node: config.agentToken ?? password };
  const data: Rke2ServerData = { authorities, certificate, passwords, uid: workload.uid, nodeName, version, port: 0 };
  await machine.start({ kind: 'rke2-server', data });
  return localEndpoint(data);
};

/** The data with which an RKE2 server is installed. */
export interface Rke2ServerData {
  authorities: Rke2Authorities;
  certificate: PemPair;
  passwords: { server: string; node: string };
  uid: string;
  nodeName: string;
  version: string;
  /** Its last port on this computer; 0 before the first start. */
  port: number;
}

/** The address at which a server reaches its own API server. */
export const localEndpoint = ({ port }: Rke2ServerData): string => `127.0.0.1:${port}`;

/** The API server, the etcd member and the supervisor of a machine. */
export const rke2Server =
  (machine: ServiceMachine, data: Rke2ServerData): Service =>
  async (signal, onReady) => {
    const { instance, dataPlane, clock, random, log, clusters } = machine;
    const { authorities, certificate, passwords, uid, nodeName, version: kubernetesVersion } = data;
    const workload = clusters.find(uid);
    if (!workload) throw new Error(`the state of the cluster ${uid} is lost`);
    workload.etcd.setAlive(nodeName, true);
    const clientCa = authorities.clientCa.certificatePem;
    const serving = { workload, certificate, clientCa, kubernetesVersion, clock, random, log };
    const api = await listenApiServer({ ...serving, port: data.port });
    const supervisor = await listenSupervisor({ authorities, certificate, passwords, clusterUid: uid }, machine);
    data.port = api.port;
    dataPlane.serve(instance.id, API_PORT, { host: '127.0.0.1', port: api.port });
    dataPlane.serve(instance.id, REGISTRATION_PORT, { host: '127.0.0.1', port: supervisor.port });
    onReady();
    await aborted(signal);
    dataPlane.withdraw(instance.id, API_PORT);
    dataPlane.withdraw(instance.id, REGISTRATION_PORT);
    workload.etcd.setAlive(nodeName, false);
    await Promise.all([api.close(), supervisor.close()]);
  };
