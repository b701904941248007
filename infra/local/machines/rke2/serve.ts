import { issueCertificate } from '../../../../shared/bootstrap/certificates/issue.ts';
import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import { webCryptoKeys } from '../../../../shared/bootstrap/certificates/keys.ts';
import { REGISTRATION_PORT } from '../../../../shared/bootstrap/rke2/paths.ts';
import { firstServiceIp } from '../kubeadm/certificates.ts';
import type { MachineContext } from '../kubeadm/machine-context.ts';
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
 * Serves the cluster's API and takes machines in, for as long as this machine runs. Resolves with the address under
 * which the machine itself reaches its API server, which stays the same when it is stopped and started.
 */
export const serveCluster = async (machine: MachineContext, options: ServerOptions): Promise<string> => {
  const { config, authorities, workload, nodeName } = options;
  const { instance, dataPlane, clock, random, log } = machine;
  const certificate = await servingCertificate(machine, options);
  const { password } = parseToken(config.token ?? '');
  const passwords = { server: password, node: config.agentToken ?? password };
  let listening: ((port: number) => void) | undefined;
  const isListening = new Promise<number>((resolve) => {
    listening = resolve;
  });
  let port = 0;
  machine.start(async (signal) => {
    workload.etcd.setAlive(nodeName, true);
    const clientCa = authorities.clientCa.certificatePem;
    const kubernetesVersion = options.version;
    const api = await listenApiServer({ workload, certificate, clientCa, kubernetesVersion, clock, random, log, port });
    const supervisor = await listenSupervisor(
      { authorities, certificate, passwords, clusterUid: workload.uid },
      machine,
    );
    port = api.port;
    dataPlane.serve(instance.id, API_PORT, { host: '127.0.0.1', port });
    dataPlane.serve(instance.id, REGISTRATION_PORT, { host: '127.0.0.1', port: supervisor.port });
    listening?.(port);
    await aborted(signal);
    dataPlane.withdraw(instance.id, API_PORT);
    dataPlane.withdraw(instance.id, REGISTRATION_PORT);
    workload.etcd.setAlive(nodeName, false);
    await Promise.all([api.close(), supervisor.close()]);
  });
  return `127.0.0.1:${await isListening}`;
};
