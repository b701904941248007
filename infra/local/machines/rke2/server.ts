import { issueClientCertificate } from '../kubeadm/certificates.ts';
import type { MachineContext } from '../kubeadm/machine-context.ts';
import { retryFor } from '../kubeadm/wait.ts';
import { createWorkloadCluster, type WorkloadCluster } from '../workload-cluster/cluster.ts';
import { node, secret } from '../workload-cluster/kinds.ts';
import { prepareAuthorities, type Rke2Authorities } from './authorities.ts';
import type { Rke2Config } from './config.ts';
import { rke2NodeName, startKubelet } from './node.ts';
import { register } from './registration.ts';
import { localEndpoint, type Rke2ServerData, serveCluster } from './serve.ts';
import { BOOTSTRAP_PATH } from './supervisor.ts';

/** The time that a new etcd member takes to catch up before it can vote. */
const PROMOTION_MILLISECONDS = 200;
/** The time that a server waits for its own kubelet. */
const NODE_MILLISECONDS = 60_000;

const ROLES = ['control-plane', 'etcd', 'master'];

interface Membership {
  authorities: Rke2Authorities;
  workload: WorkloadCluster;
}

/** The first server: creates a cluster, with the authorities on its disk. */
const found = async (machine: MachineContext, config: Rke2Config, nodeName: string): Promise<Membership> => {
  const { clock, random, log, instance, bootLog } = machine;
  const authorities = await prepareAuthorities(machine, config.dataDir);
  const workload = await createWorkloadCluster({
    firstMember: nodeName,
    firstHost: { owner: instance.id, address: instance.privateIp },
    instances: machine.clusters.instancesBeside(machine.instance),
    vpcId: instance.vpcId,
    podNetworks: config.clusterCidr.split(','),
    vault: machine.clusters.vault,
    ca: authorities.clientCa,
    etcdCa: authorities.etcdServerCa,
    clock,
    random,
    log,
  });
  machine.clusters.add(workload);
  bootLog.line('rke2', 'etcd data store connection OK, this is the first server');
  return { authorities, workload };
};

const isBootstrap = (value: unknown): value is Rke2Authorities & { clusterUid: string } =>
  typeof value === 'object' && value !== null && 'clusterUid' in value && 'serverCa' in value;

/** An additional server: gets the authorities from a running server, and joins its etcd. */
const join = async (machine: MachineContext, config: Rke2Config, nodeName: string): Promise<Membership> => {
  const registration = await register(config, 'server');
  const data: unknown = JSON.parse(await registration.call('GET', BOOTSTRAP_PATH));
  const workload = isBootstrap(data) ? machine.clusters.find(data.clusterUid) : undefined;
  if (!isBootstrap(data) || !workload) {
    throw new Error('the server is not one of a simulated machine: its etcd cannot be joined');
  }
  workload.etcd.addLearner(nodeName, { owner: machine.instance.id, address: machine.instance.privateIp });
  machine.bootLog.line('rke2', `Adding member ${nodeName} to etcd cluster`);
  await machine.clock.sleep(PROMOTION_MILLISECONDS, machine.signal);
  workload.etcd.promote(nodeName);
  const { clusterUid: _, ...authorities } = data;
  return { authorities, workload };
};

/** What the first server writes to the cluster, and what each server does with its node. */
const settle = async (machine: MachineContext, workload: WorkloadCluster, nodeName: string): Promise<void> => {
  await workload.objects.ensure(secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'kube-system', name: 'rke2-serving', labels: { 'listener.cattle.io': 'dynamic' } },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': '', 'tls.key': '' },
  });
  const labels = Object.fromEntries(ROLES.map((role) => [`node-role.kubernetes.io/${role}`, 'true']));
  await retryFor(NODE_MILLISECONDS, machine, () =>
    workload.objects.mutate(node, { namespace: '', name: nodeName }, (current) => ({
      ...current,
      metadata: { ...current.metadata, labels: { ...current.metadata.labels, ...labels } },
    })),
  );
};

/** The server becomes a member: by creating or joining its cluster now, or before the laptop was stopped. */
const becomeMember = async (
  machine: MachineContext,
  config: Rke2Config,
  { nodeName, version }: { nodeName: string; version: string },
): Promise<Membership & { endpoint: string }> => {
  const resumed = machine.resumed<Rke2ServerData>('rke2-server');
  const before = resumed && machine.clusters.find(resumed.uid);
  if (resumed && before)
    return { authorities: resumed.authorities, workload: before, endpoint: localEndpoint(resumed) };
  const { authorities, workload } = await (config.server ? join : found)(machine, config, nodeName);
  machine.holds({ uid: workload.uid, name: nodeName });
  const endpoint = await serveCluster(machine, { config, authorities, workload, nodeName, version });
  return { authorities, workload, endpoint };
};

/** `rke2 server`: resolves when the server is ready; throws an Error with RKE2's message if it would end. */
export const runServer = async (machine: MachineContext, config: Rke2Config, version: string): Promise<void> => {
  if (config.datastoreEndpoint) throw new Error('datastore-endpoint: the simulated machine runs embedded etcd only');
  const nodeName = rke2NodeName(config, machine);
  const { authorities, workload, endpoint } = await becomeMember(machine, config, { nodeName, version });
  const subject = { commonName: `system:node:${nodeName}`, organization: 'system:nodes' };
  const certificate = await issueClientCertificate(authorities.clientCa, subject, machine);
  const ca = authorities.serverCa.certificatePem;
  if (!machine.resumed('kubelet'))
    await startKubelet(machine, { config, nodeName, version, isServer: true, endpoint, ca, certificate });
  await settle(machine, workload, nodeName);
  machine.bootLog.line('rke2', 'rke2 is up and running');
};
