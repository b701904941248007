import { beforeEach, describe, expect, it } from 'vitest';
import { type AWSMachinePool, type Cluster, KINDS, kinds } from '../../../../shared/kinds/index.ts';
import { createRegistry } from '../../../../shared/kube-api/create-registry.ts';
import { createMemoryStorage } from '../../../../shared/kube-api/memory-storage.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { createObjectClient } from '../../../../shared/kube-api/object-client.ts';
import { reconciledDigest, withReconciled } from '../../../../shared/plan/pools/digest.ts';
import type { ObservedGroup } from '../../../../shared/providers/aws/machine-pool/model.ts';
import { systemRandom } from '../../../../shared/random.ts';
import { createMemoryRecords } from '../../../../shared/store/memory-records.ts';
import { withMemory } from '../../../../shared/store/remembering-client.ts';
import { testClock } from '../../../../shared/store/test-table.ts';
import type { AwsFleet } from './accounts.ts';
import type { AwsSweepDependencies } from './dependencies.ts';
import { makePoolDrift } from './pool-drift.ts';

const GROUP: ObservedGroup = {
  ...{ name: 'default.p', arn: 'arn', status: undefined, minSize: 1, maxSize: 3, desired: 1, subnetIds: [] },
  ...{
    cooldown: 300,
    warmup: 300,
    capacityRebalance: false,
    templateId: 'lt',
    mixed: undefined,
    suspended: [],
    tags: {},
  },
  instances: [{ id: 'i-1', zone: 'a', type: 't3.large', state: 'InService', version: 1 }],
};
const KEY = { namespace: 'default', name: 'p' };

const world = async () => {
  const clock = testClock();
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
  const asked: string[][] = [];
  let groups: ObservedGroup[] = [GROUP];
  const deps = {
    objects,
    pools: () => ({
      describe: async (names: readonly string[]) => {
        asked.push([...names]);
        return groups;
      },
    }),
  } as unknown as AwsSweepDependencies;
  const metadata = { ...KEY, labels: { 'cluster.x-k8s.io/cluster-name': 'red' } };
  const cluster = { metadata: { namespace: 'default', name: 'red', uid: 'c' }, spec: {} } as unknown as Cluster;
  const fleet = (...clusters: Cluster[]) =>
    ({ scope: {}, clusters: clusters.map((one) => ({ cluster: one })) }) as unknown as AwsFleet;
  return {
    asked,
    see: (...found: ObservedGroup[]) => {
      groups = found;
    },
    add: async () => {
      await objects.ensure(kinds.awsMachinePool, {
        apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
        kind: 'AWSMachinePool',
        metadata,
        spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: {}, providerIDList: ['aws:///a/i-1'] },
        status: { ready: true },
      } as KubeObject as AWSMachinePool);
      await objects.mutate(kinds.awsMachinePool, KEY, (pool) => withReconciled(pool, 'digest') as AWSMachinePool);
    },
    isMarked: async () => {
      const pool = await objects.get(kinds.awsMachinePool, KEY);
      return pool !== undefined && reconciledDigest(pool) === undefined;
    },
    look: async (clusters = [cluster]) =>
      (await makePoolDrift(deps)(deps, fleet(...clusters))).map(({ metadata: { name } }) => name),
  };
};

let w: Awaited<ReturnType<typeof world>>;
beforeEach(async () => {
  w = await world();
});

describe('the sweep over the groups of pools', () => {
  it('asks nothing where there is no pool, or none of a cluster of the account', async () => {
    expect(await w.look()).toEqual([]);
    await w.add();
    expect(await w.look([])).toEqual([]);
    expect(w.asked).toEqual([]);
  });

  it('leaves a pool alone whose group is as it was', async () => {
    await w.add();
    expect(await w.look()).toEqual([]);
    expect([w.asked, await w.isMarked()]).toEqual([[['default.p']], false]);
  });

  it.each<[string, ObservedGroup[]]>([
    ['is gone', []],
    ['is being deleted', [{ ...GROUP, status: 'Delete in progress' }]],
    ['has another size', [{ ...GROUP, maxSize: 9 }]],
    [
      'has another instance',
      [{ ...GROUP, instances: [...GROUP.instances, { ...GROUP.instances[0], id: 'i-2' } as never] }],
    ],
    ['has lost one', [{ ...GROUP, instances: [] }]],
    ['terminates one', [{ ...GROUP, instances: [{ ...GROUP.instances[0], state: 'Terminating:Wait' } as never] }]],
  ])('wants a look at a pool whose group %s', async (_, groups) => {
    await w.add();
    w.see(...groups);
    expect(await w.look()).toEqual(['red']);
    expect(await w.isMarked()).toBe(true);
  });
});
