import { describe, expect, it } from 'vitest';
import { type AWSMachine, type AWSMachinePool, type Cluster, kinds, type Machine } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { type Notice, withNotice } from '../../shared/plan/instance-events/notice.ts';
import { withGroupRemoved, withReconciled } from '../../shared/plan/pools/digest.ts';
import { aws } from '../../shared/providers/aws/infrastructure.ts';
import { provided } from '../../shared/providers/registry.ts';
import { isPoolOpen, type PoolObjects, wantedDigest } from './pools.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const DELETED = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const idOf = (instance: string) => `aws:///us-east-1a/${instance}`;

interface Wish {
  instance: string;
  deleted?: boolean;
  state?: string;
  notice?: Notice['reason'];
}

const noticed = (machine: Machine, reason: Notice['reason'] | undefined): Machine =>
  (reason && withNotice(machine, { reason, at: '2026-01-01T00:00:00Z' })) || machine;

const machineOf = ({ instance, deleted, notice }: Wish): Machine =>
  noticed(
    {
      ...{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine' },
      metadata: {
        ...{ name: instance, namespace: 'default', ...(deleted ? DELETED : {}) },
        ownerReferences: [{ kind: kinds.machinePool.kind, name: 'p', uid: 'pool', controller: true, apiVersion: '' }],
      },
      spec: { clusterName: 'red', infrastructureRef: { kind: 'AWSMachine', name: instance } },
    } as Machine,
    notice,
  );

const awsMachineOf = ({ instance, state = 'running' }: Wish) =>
  ({
    metadata: { name: instance },
    spec: { providerID: idOf(instance) },
    status: { instanceState: state },
  }) as AWSMachine;

const CLUSTER = { metadata: { name: 'red', namespace: 'default' }, spec: {} } as Cluster;
const INFRASTRUCTURE_CLUSTER = { metadata: { name: 'red', uid: 'red' }, spec: {} } as KubeObject & { spec: object };

/** A cluster with a pool whose group was last seen with the instances `listed`. */
const worldOf = (listed: readonly string[], wishes: readonly Wish[], metadata: object = {}) => {
  const infrastructure = {
    metadata: { name: 'p' },
    spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: {}, providerIDList: listed.map(idOf) },
  } as unknown as AWSMachinePool;
  const objects = {
    pool: {
      metadata: { name: 'p', namespace: 'default', uid: 'pool', ...metadata },
      spec: { clusterName: 'red', template: { spec: { bootstrap: { dataSecretName: 'p' } } } },
    },
    ...{ provider: aws, infrastructure, config: null, distribution: undefined },
  } as unknown as PoolObjects;
  const snapshot = {
    ...{ cluster: CLUSTER, controlPlane: null, infrastructureCluster: INFRASTRUCTURE_CLUSTER },
    machines: wishes.map(machineOf),
    infrastructureMachines: new Map(wishes.map((wish) => [wish.instance, provided(aws, awsMachineOf(wish))])),
  };
  return { objects, snapshot, infrastructure };
};

type World = ReturnType<typeof worldOf>;

const isOpen = ({ objects, snapshot }: World, infrastructure: PoolObjects['infrastructure']) =>
  isPoolOpen({ ...objects, infrastructure }, snapshot, NOW);

/** Whether the pool of `world` has work to do although its desired state was reached. */
const isOpenWhenReached = (world: World): boolean => {
  const { objects, snapshot, infrastructure } = world;
  const digest = wantedDigest(objects, snapshot.infrastructureCluster, snapshot, NOW) ?? '';
  return isOpen(world, withReconciled(infrastructure, digest) ?? infrastructure);
};

describe('a pool has work for an execution', () => {
  it.each<[string, boolean, string[], Wish[]]>([
    ['not if each instance has its Machine', false, ['a', 'b'], [{ instance: 'a' }, { instance: 'b' }]],
    ['if an instance has no Machine', true, ['a', 'b'], [{ instance: 'a' }]],
    ['if a Machine has no instance', true, ['a'], [{ instance: 'a' }, { instance: 'b' }]],
    [
      'not while the node of a deleted Machine is drained, however long it takes',
      false,
      ['a', 'b'],
      [{ instance: 'a' }, { instance: 'b', deleted: true }],
    ],
    [
      'not while a deleted Machine outlives its instance',
      false,
      ['a'],
      [{ instance: 'a' }, { instance: 'b', deleted: true, state: 'terminated' }],
    ],
    [
      'if an instance has no Machine, even if there are as many Machines',
      true,
      ['a', 'c'],
      [{ instance: 'a' }, { instance: 'b', deleted: true }],
    ],
    [
      'if an instance has ended and its Machine stays',
      true,
      ['a', 'b'],
      [{ instance: 'a' }, { instance: 'b', state: 'terminated' }],
    ],
    ['if EC2 interrupts an instance', true, ['a'], [{ instance: 'a', notice: 'SpotInterruption' }]],
    ['not because of other notices', false, ['a'], [{ instance: 'a', notice: 'ScheduledMaintenance' }]],
  ])('%s', (_, expected, listed, wishes) => {
    expect(isOpenWhenReached(worldOf(listed, wishes))).toBe(expected);
  });

  it('if its desired state was not reached, unless it is paused', () => {
    const machines = [{ instance: 'a' }];
    const world = worldOf(['a'], machines);
    expect(isOpen(world, world.infrastructure)).toBe(true);
    const paused = worldOf(['a'], machines, { annotations: { 'cluster.x-k8s.io/paused': '' } });
    expect(isOpen(paused, paused.infrastructure)).toBe(false);
  });
});

describe('a pool that is being deleted has work for an execution', () => {
  const deleted = (...machines: Wish[]) => worldOf(['a'], machines, DELETED);

  it('until its group is gone', () => {
    const world = deleted({ instance: 'a', deleted: true });
    expect(isOpen(world, world.infrastructure)).toBe(true);
    expect(isOpen(world, withGroupRemoved(world.infrastructure) ?? null)).toBe(false);
  });

  it('until its Machines are being deleted, and again once none is left', () => {
    const staying = deleted({ instance: 'a' });
    expect(isOpen(staying, withGroupRemoved(staying.infrastructure) ?? null)).toBe(true);
    const over = deleted();
    expect(isOpen(over, withGroupRemoved(over.infrastructure) ?? null)).toBe(true);
  });

  it('not while its Machines are deleted, if it has no infrastructure', () => {
    expect(isOpen(deleted({ instance: 'a', deleted: true }), null)).toBe(false);
    expect(isOpen(deleted(), null)).toBe(true);
  });
});
