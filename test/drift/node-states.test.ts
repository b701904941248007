/** Reports of kubelets about nodes and control plane pods, for which there are no events. */

import type { V1Pod } from '@kubernetes/client-node';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bootEtcd } from '../../infra/local/machines/workload-cluster/etcd.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { COMPONENTS } from '../../shared/plan/control-plane/static-pods.ts';
import { ENOUGH } from '../../shared/plan/machines/test-node.ts';
import { findCondition } from '../../shared/plan/status/conditions.ts';
import { NAMESPACE } from '../cluster-infrastructure/world.ts';
import { type DriftWorld, startDriftWorld } from './drift-world.ts';

const NAME = 'red-control-plane-2';

let world: DriftWorld;
beforeEach(async () => {
  world = await startDriftWorld();
});
afterEach(() => world.close());

const statusOf = async (type: string): Promise<string | undefined> => {
  const machine = await world.objects.get(kinds.machine, { namespace: NAMESPACE, name: NAME });
  return findCondition(machine?.status?.conditions, type)?.status;
};

const setReady = (status: string): void => {
  const node = world.nodes.get(NAME);
  if (node) world.nodes.set(NAME, { ...node, status: { conditions: [{ type: 'Ready', status }, ...ENOUGH] } });
};

const podsOf = (ready: string): V1Pod[] =>
  COMPONENTS.map(({ component }) => ({
    metadata: { name: `${component}-${NAME}` },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: component === 'etcd' ? ready : 'True' }] },
  }));

it.each(['Unknown', 'False'])(
  'a node whose Ready condition is %s is reported in the conditions after a sweep',
  async (status) => {
    expect(await world.sweep()).toBe(false);

    setReady(status);

    expect(await world.sweep()).toBe(true);
    await world.pass('probe');
    expect(await statusOf('NodeReady')).toBe(status);
    expect(await world.sweep()).toBe(false);
  },
);

it('a control plane pod that fails or recovers is reported in the conditions after a sweep', async () => {
  for (const status of ['True', 'False', 'True']) {
    world.nodes.pods = podsOf(status);

    expect(await world.sweep()).toBe(true);
    await world.pass('probe');
    expect(await statusOf('EtcdPodHealthy')).toBe(status);
    expect(await statusOf('EtcdMemberHealthy')).toBe(status);
    expect(await world.sweep()).toBe(false);
  }
});

it('an alarm of etcd is reported in the conditions after a sweep, and causes no further pass while it lasts', async () => {
  const etcd = bootEtcd(NAME, { owner: 'i-2', address: '10.0.0.2' });
  world.nodes.pods = podsOf('True');
  world.nodes.etcd = etcd;
  await world.sweep();
  await world.pass('probe');
  expect(await world.sweep()).toBe(false);

  for (const isFull of [true, false]) {
    etcd.setFull(NAME, isFull);

    expect(await world.sweep()).toBe(true);
    await world.pass('probe');
    expect(await statusOf('EtcdMemberHealthy')).toBe(isFull ? 'False' : 'True');
    expect(await world.sweep()).toBe(false);
  }
});
