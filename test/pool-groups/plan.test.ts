/** A dry run's report about a pool, and whether the real steps then do exactly that. */
import { DescribeInstanceRefreshesCommand } from '@aws-sdk/client-auto-scaling';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describePreview } from '../../functions/preview/describe.ts';
import { type Preview, preview } from '../../functions/preview/preview.ts';
import type { Change } from '../../functions/preview/reads.ts';
import { type AWSCluster, type AWSMachinePool, kinds, type MachinePool } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { KEY, type PoolWorld, startPoolWorld } from './world.ts';

let world: PoolWorld;
beforeEach(async () => {
  world = await startPoolWorld();
  await world.settle();
});
afterEach(() => world.close());

type PoolSpec = MachinePool['spec'];
interface Wish {
  pool?: Partial<PoolSpec>;
  annotations?: Record<string, string>;
  awsPool?: object;
  awsCluster?: object;
}

/** The objects as a user would write them. */
const changed = async ({ pool, annotations, awsPool, awsCluster }: Wish): Promise<Change[]> => {
  const written = async <T extends KubeObject>(resource: ResourceDefinition<T>, name: string, spec: object) => {
    const object = (await world.objects.get(resource, { ...KEY, name })) as T & { spec: object };
    const metadata = { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } };
    const change = { resource, type: 'updated', object: { ...object, metadata, spec: { ...object.spec, ...spec } } };
    return change as unknown as Change;
  };
  return [
    ...(pool || annotations ? [await written(kinds.machinePool, 'pool-0', pool ?? {})] : []),
    ...(awsPool ? [await written(kinds.awsMachinePool, 'pool-0', awsPool)] : []),
    ...(awsCluster ? [await written(kinds.awsCluster, 'red', awsCluster)] : []),
  ];
};

const plan = (changes: readonly Change[]): Promise<Preview> =>
  preview({ reads: world.objects, now: world.aws.clock.now() }, changes);

const OWNER = 'MachinePool pool-0 ';

const linesOf = (found: Preview): string[] =>
  describePreview(found).map((line) => line.replace(OWNER, '').replace(/i-[0-9a-f]+/g, 'i'));

/** The plan of a change, and the calls that carry it out. */
const tryAndDo = async (wish: Wish) => {
  const changes = await changed(wish);
  const found = await plan(changes);
  for (const { resource, object } of changes)
    await world.objects.mutate(
      resource as ResourceDefinition<KubeObject>,
      { ...KEY, name: object.metadata.name },
      (current) => ({
        ...current,
        metadata: { ...current.metadata, annotations: object.metadata.annotations },
        spec: (object as AWSCluster).spec,
      }),
    );
  const calls = await world.callsOf(() => world.settle());
  const writes = calls.filter((call) => !call.includes(':Describe')).map((call) => call.replace(/^.*:/, ''));
  return { lines: linesOf(found), plan: found.clusters[0]?.pools[0], writes };
};

const version = (spec: string) => ({
  template: { spec: { ...BASE, version: spec } },
});
const BASE = {
  clusterName: 'red',
  bootstrap: { dataSecretName: 'pool-0' },
  infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachinePool', name: 'pool-0' },
};
const MANAGED = { 'cluster.x-k8s.io/replicas-managed-by': 'autoscaler' };
const large = { awsLaunchTemplate: { instanceType: 'm5.large' } };
const GROUP = 'Auto Scaling group default.pool-0';
const DRAIN = 'after draining each for at most 15 minutes';

describe('the plan of a change of a pool', () => {
  it.each<[what: string, wish: Wish, lines: string[], writes: string[]]>([
    [
      'of more replicas',
      { pool: { replicas: 4 } },
      [`desired capacity of ${GROUP} from 2 to 4: launches 2 instances; no running instance is replaced`],
      ['UpdateAutoScalingGroup'],
    ],
    [
      'of fewer replicas',
      { pool: { replicas: 1 } },
      [
        `desired capacity of ${GROUP} from 2 to 1: terminates 1 instance of i, i, ${DRAIN}`,
        'leaves the choice of instances to Auto Scaling, which spares those that are protected from scale-in',
      ],
      ['UpdateAutoScalingGroup'],
    ],
    [
      'of other sizes',
      { awsPool: { minSize: 1, maxSize: 8 } },
      [`changes ${GROUP}: minimum size from 0 to 1, maximum size from 5 to 8`],
      ['UpdateAutoScalingGroup'],
    ],
    [
      'of the instance type',
      { awsPool: { ...large, refreshPreferences: { minHealthyPercentage: 50, instanceWarmup: 60 } } },
      [
        'creates version 2 of launch template default.pool-0: instance type',
        'starts an instance refresh, which replaces 2 instances after draining each: i, i (Rolling, at least 50% healthy, warm-up 1 minute)',
      ],
      ['CreateLaunchTemplateVersion', 'StartInstanceRefresh'],
    ],
    [
      'of the instance type, without a refresh',
      { awsPool: { ...large, refreshPreferences: { disable: true } } },
      [
        'creates version 2 of launch template default.pool-0: instance type',
        'starts no instance refresh, because spec.refreshPreferences.disable is set: 2 running instances stay as they are',
      ],
      ['CreateLaunchTemplateVersion'],
    ],
    [
      'of tags of the whole cluster',
      { awsCluster: { additionalTags: { team: 'a' } } },
      [
        'tags of the VPC and its resources change',
        'creates version 2 of launch template default.pool-0: tags',
        `sets tags team of ${GROUP}`,
        'starts an instance refresh, which replaces 2 instances after draining each: i, i (Rolling, with the defaults of Auto Scaling)',
      ],
      ['CreateLaunchTemplateVersion', 'CreateOrUpdateTags', 'StartInstanceRefresh'],
    ],
    [
      'of processes and hooks',
      {
        awsPool: {
          suspendProcesses: { processes: { azRebalance: true } },
          lifecycleHooks: [{ name: 'mine', lifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING' }],
        },
      },
      [`suspends AZRebalance of ${GROUP}`, `sets lifecycle hook mine of ${GROUP}`],
      ['SuspendProcesses', 'PutLifecycleHook'],
    ],
    [
      'of a warm pool',
      { awsPool: {}, annotations: { 'windlass.dev/warm-pool': '{"maxGroupPreparedCapacity":4}' } },
      [
        `sets lifecycle hook windlass-prepare of ${GROUP}`,
        `keeps a warm pool of 2 instances beside ${GROUP}, stopped once prepared`,
      ],
      ['PutLifecycleHook', 'PutWarmPool'],
    ],
    [
      'that leaves the replicas to something else',
      { annotations: MANAGED, pool: { replicas: 4 } },
      [
        'leaves the number of instances to an external autoscaler (annotation cluster.x-k8s.io/replicas-managed-by); spec.replicas follows',
      ],
      [],
    ],
  ])('%s reports what applying the change does', async (_, wish, lines, writes) => {
    const done = await tryAndDo(wish);
    expect(done.lines.filter((line) => line !== 'no Machine is created, replaced or deleted')).toEqual(lines);
    expect([...new Set(done.writes)]).toEqual(writes);
  });

  it('of the version names the image, and the refresh that is started', async () => {
    const { lines, plan: found, writes } = await tryAndDo({ pool: version('v1.34.1') });
    expect(lines[0]).toBe('creates version 2 of launch template default.pool-0: image');
    expect(found?.instances).toEqual({ more: 0, fewer: 0, replaced: 2 });
    expect(writes).toContain('StartInstanceRefresh');
    const { AutoScalingGroupName } = (await world.group()) ?? {};
    const { InstanceRefreshes = [] } = await world.autoScaling.send(
      new DescribeInstanceRefreshesCommand({ AutoScalingGroupName }),
    );
    expect(InstanceRefreshes).toHaveLength(1);
  });

  it('names the refresh that the change cancels', async () => {
    await world.changeInfrastructure(large);
    for (let looks = 0; looks < 6; looks += 1) await world.look();
    expect(
      linesOf(await plan(await changed({ awsPool: { awsLaunchTemplate: { instanceType: 'm6i.large' } } }))),
    ).toEqual([
      'cancels the instance refresh that is under way',
      'creates version 3 of launch template default.pool-0: instance type',
      expect.stringMatching(/^starts an instance refresh, which replaces \d instances/),
    ]);
  });

  it('of replicas that another program manages reports that it has no effect', async () => {
    await world.changePool({}, MANAGED);
    await world.settle();
    const { lines, writes } = await tryAndDo({ pool: { replicas: 5 } });
    expect(lines).toEqual([
      expect.stringMatching(/^ignores the change of spec.replicas: an external autoscaler decides/),
    ]);
    expect(writes).toEqual([]);
  });

  it('reports what blocks the change, with the fields', async () => {
    const { lines, writes } = await tryAndDo({ pool: { replicas: 9 } });
    expect(lines).toEqual([
      'is blocked: spec.replicas of MachinePool pool-0 is 9, not between spec.minSize 0 and spec.maxSize 5',
    ]);
    expect(writes).toEqual([]);
  });

  it('reports that no Machine is affected if the group is not', async () => {
    const { lines, writes } = await tryAndDo({ annotations: { note: 'mine' } });
    expect(lines).toEqual(['no Machine is created, replaced or deleted']);
    expect(writes).toEqual([]);
  });
});

describe('the plan of a whole pool', () => {
  const read = async () => (await world.objects.get(kinds.machinePool, KEY)) as MachinePool;

  it('that is new reports what is created', async () => {
    const { metadata, spec } = await read();
    const object = { ...(await read()), metadata: { ...metadata, name: 'pool-1', uid: 'new' } };
    const infrastructureRef = { ...BASE.infrastructureRef, name: 'pool-1' };
    const template = { ...spec.template, spec: { ...spec.template.spec, infrastructureRef } };
    const pool: Change = {
      resource: kinds.machinePool as never,
      type: 'created',
      object: { ...object, spec: { ...spec, template } } as never,
    };
    expect(linesOf(await plan([pool]))).toEqual([
      'MachinePool pool-1 is blocked: AWSMachinePool pool-1 does not exist',
    ]);

    const { spec: wanted } = await world.infrastructure();
    const { providerID: _, providerIDList: __, ...own } = wanted as NonNullable<AWSMachinePool['spec']>;
    const infrastructure = {
      ...{ apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2', kind: 'AWSMachinePool', spec: own },
      metadata: { namespace: 'default', name: 'pool-1', uid: 'new-too' },
    };
    const both: Change[] = [
      pool,
      { resource: kinds.awsMachinePool as never, type: 'created', object: infrastructure as never },
    ];
    const found = await plan(both);
    expect(linesOf(found)).toEqual([
      'MachinePool pool-1 creates launch template default.pool-1',
      expect.stringMatching(
        /^MachinePool pool-1 creates Auto Scaling group default\.pool-1: 2 instances of t3\.large, at least 0 and at most 5, in subnet-\w+, subnet-\w+$/,
      ),
    ]);
    expect(found.clusters[0]?.pools[0]?.instances).toEqual({ more: 2, fewer: 0, replaced: 0 });
  });

  it('that exists with its group reports that it is adopted', async () => {
    const infrastructure = await world.infrastructure();
    const object = { ...infrastructure, status: undefined };
    const { metadata, ...rest } = await read();
    const moved = { ...rest, metadata: { ...metadata, uid: 'moved' } };
    const empty = { ...world.objects, listOfCluster: async () => [] };
    const found = await preview({ reads: empty as never, now: world.aws.clock.now() }, [
      { resource: kinds.awsMachinePool as never, type: 'created', object: object as never },
      { resource: kinds.machinePool as never, type: 'created', object: moved as never },
    ]);
    expect(linesOf(found)[0]).toBe(`takes over ${GROUP} and its launch template, with 2 instances`);
  });

  it('that is deleted names the instances that are terminated', async () => {
    const object = await read();
    const found = await plan([{ resource: kinds.machinePool as never, type: 'deleted', object: object as never }]);
    expect(linesOf(found)).toEqual([
      `deletes ${GROUP} with its 2 instances, without a drain: i, i`,
      'then deletes its launch template and its Machines',
    ]);
    await world.remove();
    expect(await world.group()).toBeUndefined();
  });

  it('that loses only its AWSMachinePool reports that it stays without a group', async () => {
    const object = (await world.infrastructure()) as never;
    const found = await plan([{ resource: kinds.awsMachinePool as never, type: 'deleted', object }]);
    expect(linesOf(found)).toEqual([
      `deletes ${GROUP} with its 2 instances, without a drain: i, i`,
      'then deletes its launch template and its Machines',
      'stays without a group until there is an AWSMachinePool of that name again',
    ]);
  });
});
