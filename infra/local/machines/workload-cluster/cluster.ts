import type { PemPair } from '../../../../shared/bootstrap/certificates/keys.ts';
import type { Clock } from '../../../../shared/clock.ts';
import type { OwnershipOptions } from '../../../../shared/kube-api/garbage/contract.ts';
import { createMemoryOwnerIndex } from '../../../../shared/kube-api/garbage/owner-index.ts';
import { createRegistry } from '../../../../shared/kube-api/registry/create-registry.ts';
import type { WriteEvent } from '../../../../shared/kube-api/registry/registry.ts';
import type { ResourceDefinition } from '../../../../shared/kube-api/resource.ts';
import type { ObjectClient } from '../../../../shared/kube-api/storage/client.ts';
import { createObjectClient } from '../../../../shared/kube-api/storage/object-client.ts';
import type { Storage } from '../../../../shared/kube-api/storage/storage.ts';
import type { Log } from '../../../../shared/log.ts';
import type { Random } from '../../../../shared/random.ts';
import { makeAlarm } from '../../alarm.ts';
import { shelfOf, type Vault } from '../../keep/vault.ts';
import type { Instance } from '../ports.ts';
import { reconcileBootstrapTokens } from './controllers/bootstrap-signer.ts';
import { reconcileSigningRequests } from './controllers/certificate-signer.ts';
import { reconcileCloudNodes } from './controllers/cloud-node.ts';
import { type CustomKinds, makeCustomKinds } from './controllers/custom-resource.ts';
import { reconcilePodBlocks } from './controllers/node-ipam.ts';
import { reconcileNodes } from './controllers/node-lifecycle.ts';
import { reconcileWorkloads } from './controllers/reconcile-workloads.ts';
import { bootEtcd, type Etcd, type Member, type MemberHost } from './etcd.ts';
import { createKeptStorage, restoreLinks } from './kept-storage.ts';
import { namespace } from './kinds.ts';
import { WORKLOAD_KINDS } from './served-kinds.ts';

/**
 * The state that the control plane machines of one workload cluster share: the contents of etcd, and its voting
 * members.
 */
export interface WorkloadCluster {
  /** The uid of the namespace kube-system, which identifies Kubernetes clusters. */
  uid: string;
  storage: Storage;
  /** For every API server with this storage. */
  ownership: OwnershipOptions;
  /** Must be called after each write to the storage, so that the controllers run immediately. */
  onWrite(event: WriteEvent): Promise<void>;
  objects: ObjectClient;
  /**
   * The kinds that its API servers serve: the built-in ones, and those of CustomResourceDefinitions. The list stays the
   * same object while nothing changes.
   */
  resources(): readonly ResourceDefinition[];
  etcd: Etcd;
  ca: PemPair;
  etcdCa: PemPair;
  /** Stops the controllers. The state is lost. */
  close(): void;
}

export interface WorkloadClusterOptions {
  /** The name of the first etcd member: the node that ran `kubeadm init`. */
  firstMember: string;
  firstHost: MemberHost;
  /** The VPC of the first machine. */
  vpcId: string;
  ca: PemPair;
  etcdCa: PemPair;
  /** `--cluster-cidr` of kube-controller-manager; nodes get blocks from these. */
  podNetworks?: readonly string[];
  /** The instances that a cloud controller manager of the cluster finds in the cloud. */
  instances(): Promise<Instance[]>;
  clock: Clock;
  random: Random;
  log: Log;
  /** The store of clusters by their uids, and the uid of the cluster to restore. */
  vault?: Vault;
  restoredUid?: string;
}

/** The stored state of a cluster, apart from its objects. */
export type KeptCluster = Pick<
  WorkloadClusterOptions,
  'firstMember' | 'firstHost' | 'vpcId' | 'ca' | 'etcdCa' | 'podNetworks'
>;

const FIRST_NAMESPACES = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** The interval at which the controllers run without a trigger: `--node-monitor-period`. */
const RESYNC_MILLISECONDS = 5000;

/** All garbage is deleted together with the write that causes it, because there is no sweep here. */
const GARBAGE_AT_ONCE = { objects: Number.MAX_SAFE_INTEGER, milliseconds: 60_000 };

/** Heartbeats are left to the resync; any other write may concern a controller immediately. */
const isNews = ({ resource }: WriteEvent): boolean => resource.plural !== 'leases';

const runControllers = async (
  cluster: WorkloadCluster,
  customKinds: CustomKinds,
  wait: (signal: AbortSignal) => Promise<void>,
  { clock, random, log, instances, podNetworks = [] }: WorkloadClusterOptions,
  signal: AbortSignal,
): Promise<void> => {
  const { objects, ca } = cluster;
  while (!signal.aborted) {
    try {
      // Without a quorum, no controller holds its lease.
      if (cluster.etcd.hasQuorum()) {
        await reconcileBootstrapTokens(objects, clock.now());
        await reconcileSigningRequests(objects, ca, { clock, random });
        await reconcileNodes(objects, clock.now());
        await reconcilePodBlocks(objects, podNetworks);
        await reconcileCloudNodes(objects, instances);
        await customKinds.reconcile(objects, clock.now());
        await reconcileWorkloads(objects, clock.now(), random);
      }
    } catch (error) {
      log.error('a controller of a simulated workload cluster failed', { reason: String(error) });
    }
    await wait(signal);
  }
};

/** The built-in kinds together with the others; a new list only if the others have changed. */
const allKinds = ({ current }: CustomKinds): (() => readonly ResourceDefinition[]) => {
  let [custom, all] = [current(), WORKLOAD_KINDS];
  return () => {
    if (current() !== custom) [custom, all] = [current(), [...WORKLOAD_KINDS, ...current()]];
    return all;
  };
};

/**
 * A new, empty workload cluster with its namespaces and controllers. It serves nothing itself: each control plane
 * machine runs an API server for it.
 */
export const createWorkloadCluster = async (options: WorkloadClusterOptions): Promise<WorkloadCluster> => {
  const { clock, random, vault, firstMember, firstHost, vpcId, ca, etcdCa, podNetworks = [] } = options;
  const earlier = vault && options.restoredUid ? shelfOf(vault, `${options.restoredUid}/`) : undefined;
  const alarm = makeAlarm(clock);
  const stop = new AbortController();
  const kept = createKeptStorage();
  const storage = kept.open(earlier);
  const ownership: OwnershipOptions = {
    index: createMemoryOwnerIndex(),
    atOnce: GARBAGE_AT_ONCE,
    onFailure: (error) => options.log.error('garbage of a simulated workload cluster stays', { reason: String(error) }),
  };
  const onWrite = async (event: WriteEvent): Promise<void> => {
    if (isNews(event)) alarm.ring();
  };
  if (earlier) await restoreLinks(ownership.index, earlier);
  const registry = createRegistry({ resources: WORKLOAD_KINDS, storage, clock, random, onWrite, ownership });
  const objects = createObjectClient(registry, 'kube-controller-manager');
  for (const name of FIRST_NAMESPACES) {
    await objects.ensure(namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const system = await objects.get(namespace, { namespace: '', name: 'kube-system' });
  const uid = system?.metadata.uid ?? '';
  const shelf = vault && shelfOf(vault, `${uid}/`);
  if (shelf) kept.attach(shelf);
  shelf?.write('cluster', { firstMember, firstHost, vpcId, ca, etcdCa, podNetworks } satisfies KeptCluster);
  const onChange = (members: readonly Member[]): void => shelf?.write('etcd', members);
  const customKinds = makeCustomKinds(storage, WORKLOAD_KINDS);
  const cluster: WorkloadCluster = {
    uid,
    storage,
    ownership,
    onWrite,
    objects,
    resources: allKinds(customKinds),
    etcd: bootEtcd(firstMember, firstHost, { kept: earlier?.read('etcd'), onChange }),
    ca,
    etcdCa,
    close: () => stop.abort(),
  };
  void runControllers(cluster, customKinds, (signal) => alarm.wait(RESYNC_MILLISECONDS, signal), options, stop.signal);
  return cluster;
};
