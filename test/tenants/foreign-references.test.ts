/** The editor of a namespace uses parts of another tenant's network, or a bucket. */
import {
  AllocateHostsCommand,
  CreateSecurityGroupCommand,
  CreateSubnetCommand,
  CreateTagsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controllerScopeOf } from '../../functions/providers/aws/aws-scope.ts';
import { ensureBucket } from '../../functions/providers/aws/bucket/bucket.ts';
import { readLiveScope } from '../../functions/providers/aws/infrastructure/scope.ts';
import { createCapacityMemory } from '../../functions/providers/aws/instance/capacity-memory.ts';
import { makeInstanceSteps } from '../../functions/providers/aws/instance/steps.ts';
import { kinds } from '../../shared/kinds/index.ts';
import { createEc2Instances } from '../../shared/providers/aws/api/ec2-instances.ts';
import { fakeBootstrapObjects } from '../../shared/providers/aws/api/test-bootstrap-objects.ts';
import { DEFAULT_INSTANCE_PROFILES } from '../../shared/providers/aws/plan/launch/profiles.ts';
import { buildTags, toTagList } from '../../shared/providers/aws/tags.ts';
import { systemRandom } from '../../shared/random.ts';
import { create } from '../cluster-infrastructure/steps.ts';
import { type Installation, startInstallation } from './installation.ts';
import { awsClusterOf, awsMachineOf, clusterOf, convergeInput, machineInput, machineOf } from './objects.ts';

let world: Installation;
beforeEach(async () => {
  world = await startInstallation();
});
afterEach(() => world.close());

const context = { log: { info() {}, warn() {}, error() {}, with: () => context.log } } as never as Parameters<
  ReturnType<typeof makeInstanceSteps>['launchInstance']
>[1];

const VICTIM = { namespace: 'victim', name: 'theirs' };
const TAGS = toTagList(buildTags({ cluster: VICTIM, role: 'common' }));

const mark = async (id = ''): Promise<string> => {
  await world.clients.ec2.send(new CreateTagsCommand({ Resources: [id], Tags: TAGS }));
  return id;
};

const vpcId = async (): Promise<string> =>
  (await world.clients.ec2.send(new DescribeVpcsCommand({}))).Vpcs?.[0]?.VpcId ?? '';

const MAKERS = {
  group: async () => {
    const input = { GroupName: 'theirs', Description: 'theirs', VpcId: await vpcId() };
    return mark((await world.clients.ec2.send(new CreateSecurityGroupCommand(input))).GroupId);
  },
  interface: async () => {
    const id = await world.run({ Name: 'theirs' });
    const theirs = (await world.instances()).find(({ InstanceId }) => InstanceId === id);
    return mark(theirs?.NetworkInterfaces?.[0]?.NetworkInterfaceId);
  },
  host: async () => {
    const input = {
      InstanceType: 'm5.large',
      AvailabilityZone: 'us-east-1a',
      Quantity: 1,
      AutoPlacement: 'off' as const,
    };
    return mark((await world.clients.ec2.send(new AllocateHostsCommand(input))).HostIds?.[0]);
  },
  subnet: async () => {
    const input = { VpcId: await vpcId(), CidrBlock: '172.31.240.0/24', AvailabilityZone: 'us-east-1a' };
    return mark((await world.clients.ec2.send(new CreateSubnetCommand(input))).Subnet?.SubnetId);
  },
};

/** Launches a machine of the editor. */
const launch = async (spec: object): Promise<unknown> => {
  const { evil, objects, clock, clients } = world;
  const uid = await world.plant(clusterOf(evil, 'mine'));
  await world.plant(awsClusterOf(evil, 'mine', { sshKeyName: '' }));
  const subnetId = await world.subnetId();
  const group = { id: await world.groupId(), name: 'n' };
  await objects.mutate(kinds.awsCluster, { namespace: evil, name: 'mine' }, (current) => ({
    ...current,
    spec: {
      ...current.spec,
      network: { subnets: [{ id: subnetId, resourceID: subnetId, availabilityZone: 'us-east-1a' }] },
    } as typeof current.spec,
    status: { networkStatus: { securityGroups: { node: group, lb: group } } },
  }));
  const data = { value: Buffer.from('#cloud-config\n').toString('base64') };
  await world.plant({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: evil, name: 'm' }, data } as never);
  await world.plant(awsMachineOf(evil, 'm', 'mine', { ami: await world.ami(), ...spec }));
  const machineUid = await world.plant(machineOf(evil, 'm', 'mine'));
  const stores = {
    bootstrapSecrets: { create: async () => {}, delete: async () => 'gone' as const },
    bootstrapObjects: fakeBootstrapObjects(),
  };
  const launches = {
    imageParameters: { imageId: async () => '' },
    capacity: createCapacityMemory(),
    waits: { end: async () => {} },
  };
  const steps = makeInstanceSteps({
    ...{ objects, clock, random: systemRandom, touch: async () => {}, scopeOf: controllerScopeOf },
    work: { extendMachine: async () => true } as never,
    ec2: () => createEc2Instances(clients.ec2, clients.ec2),
    stores: () => stores,
    launches: () => launches,
    instanceProfiles: DEFAULT_INSTANCE_PROFILES,
  });
  return steps.launchInstance(machineInput(evil, 'm', machineUid, { name: 'mine', uid }), context);
};

describe('the launch of a machine', () => {
  it.each<[string, keyof typeof MAKERS, string, (id: string) => object]>([
    ['into a group', 'group', 'additionalSecurityGroups', (id) => ({ additionalSecurityGroups: [{ id }] })],
    [
      'into a group that a filter finds',
      'group',
      'additionalSecurityGroups',
      () => ({ additionalSecurityGroups: [{ filters: [{ name: 'group-name', values: ['theirs'] }] }] }),
    ],
    [
      'with a group for its role',
      'group',
      'securityGroupOverrides',
      (id) => ({ securityGroupOverrides: { node: id } }),
    ],
    ['with an interface', 'interface', 'networkInterfaces', (id) => ({ networkInterfaces: [id] })],
    ['on a host', 'host', 'hostID', (id) => ({ hostID: id, tenancy: 'host' })],
    ['into a subnet', 'subnet', 'subnet', (id) => ({ subnet: { id } })],
  ])('is refused %s of another tenant', async (_what, kind, field, spec) => {
    const id = await MAKERS[kind]();
    await expect(launch(spec(id))).rejects.toThrow(
      new RegExp(`^spec\\.${field}: ${id} belongs to a cluster of another`),
    );
    const named = (await world.instances()).map(({ Tags = [] }) => Tags.find(({ Key }) => Key === 'Name')?.Value);
    expect(named).not.toContain('m');
  });

  it('is allowed with a group that belongs to a user', async () => {
    await launch({ additionalSecurityGroups: [{ id: await world.groupId() }] });
    expect(await world.instances()).toHaveLength(1);
  });
});

describe("another tenant's network", () => {
  it('gets no tags of a cluster that is placed in it', async () => {
    const { evil } = world;
    const id = await MAKERS.subnet();
    const uid = await world.plant(clusterOf(evil, 'mine'));
    await world.plant(awsClusterOf(evil, 'mine', { network: { vpc: { id: await vpcId() }, subnets: [{ id }] } }));
    const over = world.worldOf(convergeInput(evil, 'mine', uid));
    await create(over)
      .catch(() => undefined)
      .finally(over.destroy);
    const { Subnets } = await world.clients.ec2.send(new DescribeSubnetsCommand({ SubnetIds: [id] }));
    expect(Subnets?.[0]?.Tags).toEqual(expect.arrayContaining(TAGS));
    expect(Subnets?.[0]?.Tags).toHaveLength(TAGS.length);
  });
});

describe("another tenant's bucket", () => {
  it('is not used', async () => {
    const { evil, objects, clock } = world;
    const name = 'cluster-api-provider-aws-theirs';
    const uid = await world.plant(clusterOf(evil, 'mine'));
    await world.plant(awsClusterOf(evil, 'mine', { s3Bucket: { name, presignedURLDuration: '1h' } }));
    const over = world.worldOf(convergeInput(evil, 'mine', uid));
    over.destroy();
    const { buckets } = over;
    await buckets.create(name, 'us-east-1', {});
    await buckets.tag(name, buildTags({ cluster: VICTIM, role: 'node' }));
    const deps = { objects, clock, scopeOf: controllerScopeOf, accountId: '000000000000', buckets: () => buckets };
    const scope = await readLiveScope(deps, { namespace: evil, name: 'mine', uid });
    if (!scope) throw new Error('no cluster');
    expect(await ensureBucket(deps, scope)).toBe(false);
    const seen = await objects.get(kinds.awsCluster, { namespace: evil, name: 'mine' });
    const condition = seen?.status?.conditions?.find(({ type }) => type === 'S3BucketCreated');
    expect(condition?.message).toMatch(/^spec.s3Bucket.name cluster-api-provider-aws-theirs: .*another namespace/);
  });
});
