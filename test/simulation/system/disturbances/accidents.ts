/** Failures of machines and services. */
import { StartInstancesCommand, StopInstancesCommand } from '@aws-sdk/client-ec2';
import { terminate } from '../../../../infra/local/engines/ec2/instances/state.ts';
import { lifeOf } from '../../../../infra/local/engines/ec2/instances/view.ts';
import type { Instance } from '../../../../infra/local/engines/ec2/records.ts';
import { node } from '../../../../infra/local/machines/workload-cluster/kinds.ts';
import type { Machine } from '../../../../shared/kinds/index.ts';
import { expendableMachine } from '../actors/control-plane-death.ts';
import type { HappeningKind } from '../faults/kinds.ts';
import { isOfCluster } from '../machine-order.ts';
import { isWarm, liveInstances } from '../verdicts/judge.ts';
import { instanceOfFirst, warn } from '../workers.ts';
import { type Change, type Dice, liveWorkers, type Place } from './change.ts';

/** Faults that end without intervention. */
const LASTING: readonly HappeningKind[] = [
  ...(['sweep', 'events twice', 'events late', 'events lost', 'stale describes', 'outdated describes'] as const),
  ...(['no capacity', 'quota reached', 'AWS fails', 'no concurrency', 'API hangs'] as const),
  ...(['table throttled', 'table fails', 'Step Functions fails'] as const),
];

const instanceOfOne = async (place: Place, { one }: Dice): Promise<Instance | undefined> => {
  const machine = one(await liveWorkers(place));
  return machine && instanceOfFirst([machine], place.world.account);
};

/** A control plane machine that etcd can lose without losing its quorum. */
const expendable = async ({ user, world: { laptop } }: Place): Promise<Machine | undefined> => {
  const machine = await expendableMachine(user);
  // The statuses of the Machines may not show yet that one of them has failed.
  const isWhole = laptop
    .clusters()
    .every(({ etcd }) => etcd.members().every(({ alive, learner }) => alive && !learner));
  return isWhole ? machine : undefined;
};

const expendableInstance = async (place: Place): Promise<Instance | undefined> => {
  const machine = await expendable(place);
  return machine && instanceOfFirst([machine], place.world.account);
};

/** A worker of the cluster itself, whose nodes are in the first workload cluster. */
const ownWorker = async (place: Place, { one }: Dice): Promise<Machine | undefined> =>
  one((await liveWorkers(place)).filter(isOfCluster));

/** The kubelet of a machine stops reporting its node, while everything else on the node continues to run. */
const failKubelet = async ({ world }: Place, machine: Machine | undefined): Promise<string | undefined> => {
  const name = machine?.status?.nodeRef?.name;
  const [cluster] = world.laptop.clusters();
  if (name === undefined || cluster === undefined) return undefined;
  const { storage } = cluster;
  const { update } = storage;
  storage.update = (resource, object, ...rest) => {
    if (resource.plural === 'leases' && object.metadata.name === name)
      return Promise.reject(new Error(`the kubelet of ${name} has failed`));
    return update.call(storage, resource, object, ...rest);
  };
  return `the kubelet of node ${name} fails`;
};

export const ACCIDENTS: Readonly<Record<string, Change>> = {
  instanceDies: async (place, dice) => {
    const instance = await instanceOfOne(place, dice);
    if (instance === undefined) return undefined;
    terminate(place.world.account.ec2(), instance);
    return `instance ${instance.id} is terminated`;
  },
  instanceStops: async (place, dice) => {
    const instance = await instanceOfOne(place, dice);
    if (instance === undefined) return undefined;
    await place.ec2.send(new StopInstancesCommand({ InstanceIds: [instance.id] }));
    return `instance ${instance.id} is stopped`;
  },
  instanceStarts: async ({ ec2, world: { account } }, { one }) => {
    const instance = one(liveInstances(account).filter((it) => lifeOf(account.ec2(), it) === 'stopped'));
    if (instance === undefined || isWarm(account)(instance)) return undefined;
    await ec2.send(new StartInstancesCommand({ InstanceIds: [instance.id] }));
    return `instance ${instance.id} is started again`;
  },
  instanceIsReclaimed: async (place, dice) => {
    const instance = await instanceOfOne(place, dice);
    if (instance === undefined) return undefined;
    warn(place.world.account, instance);
    return `EC2 announces that it will reclaim instance ${instance.id}`;
  },
  nodeIsDeleted: async (place, dice) => {
    const machine = await ownWorker(place, dice);
    const name = machine?.status?.nodeRef?.name;
    const [cluster] = place.world.laptop.clusters();
    if (name === undefined || cluster === undefined) return undefined;
    await cluster.objects.delete(node, { namespace: '', name });
    return `someone deletes node ${name}`;
  },
  kubeletFails: async (place, dice) => failKubelet(place, await ownWorker(place, dice)),
  controlPlaneKubeletFails: async (place) => failKubelet(place, await expendable(place)),
  etcdIsFull: async ({ world }) => {
    const [cluster] = world.laptop.clusters();
    const [member] = cluster?.etcd.members() ?? [];
    if (member === undefined) return undefined;
    cluster?.etcd.setFull(member.name, !member.isFull);
    return `member ${member.name} of etcd ${member.isFull ? 'raises' : 'no longer has'} the alarm NOSPACE`;
  },
  controlPlaneDies: async (place) => {
    const instance = await expendableInstance(place);
    if (instance === undefined) return undefined;
    terminate(place.world.account.ec2(), instance);
    return `instance ${instance.id} of the control plane is terminated`;
  },
  controlPlaneStops: async (place) => {
    const instance = await expendableInstance(place);
    if (instance === undefined) return undefined;
    await place.ec2.send(new StopInstancesCommand({ InstanceIds: [instance.id] }));
    return `instance ${instance.id} of the control plane is stopped`;
  },
  serviceFails: async ({ happen }, { one }) => {
    const kind = one(LASTING);
    if (kind === undefined) return undefined;
    happen(kind);
    return `fault: ${kind}`;
  },
};
