/** One MachinePool with its objects in memory, over a simulated account, in its default VPC. */

import { AutoScalingClient, DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import {
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { makePoolObjectsSteps } from '../../functions/pool/steps.ts';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { makePoolGroupSteps } from '../../functions/providers/aws/machine-pool/steps.ts';
import { startTestAws } from '../../infra/local/test-aws.ts';
import { KINDS, kinds, type MachinePool } from '../../shared/kinds/index.ts';
import type { KubeObject } from '../../shared/kube-api/object.ts';
import { createRegistry } from '../../shared/kube-api/registry/create-registry.ts';
import { createMemoryStorage } from '../../shared/kube-api/storage/memory-storage.ts';
import { createObjectClient } from '../../shared/kube-api/storage/object-client.ts';
import { silentLog } from '../../shared/log.ts';
import { ec2ImageReads } from '../../shared/providers/aws/api/ec2-image-reads.ts';
import { ec2LaunchReads } from '../../shared/providers/aws/api/ec2-launch-reads.ts';
import { ec2VolumeClaims } from '../../shared/providers/aws/api/ec2-volumes.ts';
import { fakeBootstrapObjects } from '../../shared/providers/aws/api/test-bootstrap-objects.ts';
import { createAutoScalingGroups } from '../../shared/providers/aws/machine-pool/api.ts';
import { createLaunchTemplates } from '../../shared/providers/aws/machine-pool/template-api.ts';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { systemRandom } from '../../shared/random.ts';
import { createMemoryRecords } from '../../shared/store/records/memory-records.ts';
import { withMemory } from '../../shared/store/records/remembering-client.ts';
import type { TestDatabase } from '../../shared/store/test-table.ts';
import { createWorkStore } from '../../shared/store/work/work-store.ts';
import type { PoolInput } from '../../shared/work/payloads.ts';

export const KEY = { namespace: 'default', name: 'p' };
const LABELS = { 'cluster.x-k8s.io/cluster-name': 'red' };
const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

/** The user provides the data, so no certificates are needed. */
const objectsOf = (network: { subnets: object[]; group: string }): KubeObject[] => [
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...KEY, labels: LABELS },
    data: { value: Buffer.from('#cloud-config\n').toString('base64') },
  } as KubeObject,
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'red', namespace: 'default' },
    spec: {
      controlPlaneEndpoint: { host: 'api.example.com', port: 6443 },
      infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSCluster', name: 'red' },
    },
  } as KubeObject,
  {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSCluster',
    metadata: { name: 'red', namespace: 'default', labels: LABELS },
    spec: { region: 'us-east-1', sshKeyName: '', network: { subnets: network.subnets } },
    status: {
      ready: true,
      networkStatus: {
        securityGroups: { node: { id: network.group, name: 'n' }, lb: { id: network.group, name: 'l' } },
      },
    },
  } as KubeObject,
  {
    apiVersion: `${INFRASTRUCTURE}/v1beta2`,
    kind: 'AWSMachinePool',
    metadata: KEY,
    spec: { minSize: 1, maxSize: 3, awsLaunchTemplate: { instanceType: 't3.large' } },
  } as KubeObject,
  {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { ...KEY, labels: LABELS },
    spec: {
      clusterName: 'red',
      replicas: 2,
      template: {
        spec: {
          clusterName: 'red',
          version: 'v1.34.0',
          bootstrap: { dataSecretName: 'p' },
          infrastructureRef: { apiGroup: INFRASTRUCTURE, kind: 'AWSMachinePool', name: 'p' },
        },
      },
    },
  } as KubeObject,
];

/** The default VPC's first subnets and its security group. */
const defaultNetwork = async (ec2: EC2Client) => {
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({}));
  const { SecurityGroups = [] } = await ec2.send(new DescribeSecurityGroupsCommand({}));
  const subnets = Subnets.slice(0, 2).map(({ SubnetId: id = '', AvailabilityZone: availabilityZone = '' }) => ({
    ...{ id, resourceID: id, availabilityZone, isPublic: false },
  }));
  return { subnets, group: SecurityGroups[0]?.GroupId ?? '' };
};

/** Thrown by the last call of a function that crashes. */
class Died extends Error {
  override readonly name = 'Died';
}

const SECONDS_A_LOOK = 5;
const MOST_LOOKS = 40;

/** The worlds of a test file share `database`; each has its own table. */
export const startPoolWorld = async (database: TestDatabase) => {
  const test = await startTestAws({ autoScalingTimeScale: 0.02 });
  const { clock } = test;
  const [ec2, autoScaling] = [new EC2Client(test.direct), new AutoScalingClient(test.direct)];
  const registry = createRegistry({ resources: KINDS, storage: createMemoryStorage(), clock, random: systemRandom });
  const objects = withMemory(createObjectClient(registry), createMemoryRecords());
  const made = new Map<string, KubeObject>();
  for (const object of objectsOf(await defaultNetwork(ec2))) {
    const resource = KINDS.find(({ kind }) => kind === object.kind);
    if (resource) made.set(object.kind, (await objects.ensure(resource, object)).object);
  }
  const uidOf = (kind: string) => made.get(kind)?.metadata.uid ?? '';
  const pool = { ...KEY, uid: uidOf('MachinePool'), clusterName: 'red', clusterUid: uidOf('Cluster') };
  const work = createWorkStore({ client: database.client, table: await database.makeTable(), clock });
  const touched: string[] = [];

  /** The call before or after which it crashes. */
  let fate: { call: number; when: 'before' | 'after' } | undefined;
  let calls = 0;
  const mortal = <T extends object>(port: T): T =>
    Object.fromEntries(
      Object.entries(port).map(([name, call]) => [
        name,
        async (...args: unknown[]) => {
          calls += 1;
          const isLast = fate?.call === calls;
          if (isLast && fate?.when === 'before') throw new Died(name);
          const answer = await (call as (...given: unknown[]) => Promise<unknown>)(...args);
          if (isLast) throw new Died(name);
          return answer;
        },
      ]),
    ) as T;

  const common = { objects, work, clock };
  const core = makePoolObjectsSteps({ ...common, touch: async ({ name }) => void touched.push(name) });
  const group = makePoolGroupSteps({
    ...common,
    scopeOf: controllerScopeOf,
    instanceProfiles: DEFAULT_INSTANCE_PROFILES,
    pools: () => ({
      groups: mortal(createAutoScalingGroups(autoScaling)),
      templates: mortal(createLaunchTemplates(ec2)),
      ec2: { ...ec2LaunchReads(ec2), ...ec2ImageReads(ec2) },
      volumes: ec2VolumeClaims(ec2),
      imageParameters: { imageId: async () => '' },
      bootstrapObjects: fakeBootstrapObjects(),
    }),
  });
  const context = { log: silentLog };
  let executions = 0;

  /** One check by an execution of a pool that is not being deleted. */
  const look = async (input: PoolInput): Promise<PoolInput> => {
    const { digest } = await core.poolBootstrap(input, context);
    const { progress: outcome } = await group.reconcilePool(input, context);
    await core.poolMachines(input, context);
    return { ...input, digest, outcome };
  };

  const lookAway = async (input: PoolInput): Promise<PoolInput> => {
    const { progress: outcome } = await group.removePool(input, context);
    return { ...input, outcome };
  };

  /** The workflow converge-pool, with a clock that advances with its waits; `meanwhile` runs once it has begun. */
  const run = async (meanwhile: () => Promise<unknown> = async () => {}): Promise<string> => {
    executions += 1;
    const input: PoolInput = { pool, holder: `pool/${executions}` };
    const { proceed, removal, since } = await core.beginPool(input, context);
    if (!proceed) return 'nothing to do';
    await meanwhile();
    const [play, finish] = removal ? [lookAway, core.finishPoolRemoval] : [look, core.finishPool];
    for (let count = 0; count < MOST_LOOKS; count += 1) {
      const seen = await play({ ...input, since });
      if (seen.outcome !== 'wait') {
        await finish(seen, context);
        return seen.outcome ?? '';
      }
      await pass(SECONDS_A_LOOK);
    }
    return 'still waiting';
  };

  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  return {
    ...{ objects, run, pass, touched, calls: test.calls, autoScaling, ec2, clock, account: test.account },
    /** Lets the next execution begin after one that has thrown an error. */
    release: () => work.releaseMachine(pool, `pool/${executions}`),
    /** Crashes at a call; true if the run reached that call. Afterwards, the lease of the crashed run has expired. */
    dieAt: async (call: number, when: 'before' | 'after'): Promise<boolean> => {
      [fate, calls] = [{ call, when }, 0];
      try {
        await run();
        return false;
      } catch (error) {
        if (!(error instanceof Died)) throw error;
        return true;
      } finally {
        fate = undefined;
        await pass(600);
      }
    },
    change: (change: (pool: MachinePool) => MachinePool) => objects.mutate(kinds.machinePool, KEY, change),
    pool: () => objects.get(kinds.machinePool, KEY),
    awsPool: () => objects.get(kinds.awsMachinePool, KEY),
    groups: async () => (await autoScaling.send(new DescribeAutoScalingGroupsCommand({}))).AutoScalingGroups ?? [],
    templates: async () => (await ec2.send(new DescribeLaunchTemplatesCommand({}))).LaunchTemplates ?? [],
    machines: async () => (await objects.list(kinds.machine)).filter(({ metadata }) => !metadata.deletionTimestamp),
    liveInstances: async () => {
      const { Reservations = [] } = await ec2.send(new DescribeInstancesCommand({}));
      const all = Reservations.flatMap(({ Instances = [] }) => Instances);
      return all.filter(({ State }) => !/terminated|shutting-down/.test(State?.Name ?? ''));
    },
    close: async () => {
      ec2.destroy();
      autoScaling.destroy();
      await test.aws.close();
    },
  };
};
