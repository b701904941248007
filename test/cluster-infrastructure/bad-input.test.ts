/**
 * Mistakes of users about the account and the network. Each mistake results in one condition that names the field and
 * AWS's id or code; nothing is created that a deletion does not remove again. All cases share one account.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AWSCluster, kinds } from '../../shared/kinds/index.ts';
import { SKIP_ANNOTATION } from '../../shared/kinds/rules/aws/wishes.ts';
import { inventory } from './inventory.ts';
import { askForDeletion, create, remove } from './steps.ts';
import { makeUserNetwork, networkSpec, type UserNetwork } from './user-network.ts';
import { createCluster, KEY, startWorld, type World } from './world.ts';

let world: World;
let user: UserNetwork;
let untouched: object;

beforeAll(async () => {
  world = await startWorld();
  user = await makeUserNetwork(world);
  await clearAway();
  untouched = await inventory(world);
});
afterAll(() => world.close());

type Spec = Partial<AWSCluster['spec']>;
type Network = NonNullable<Spec['network']>;

const theirs = (change: (network: Network) => Network = (network) => network): Spec => ({
  network: change(networkSpec(user) ?? {}),
});

const changed = (index: number, change: object) => (network: Network) => ({
  ...network,
  subnets: network.subnets?.map((subnet, at) => (at === index ? { ...subnet, ...change } : subnet)),
});

/** A control plane with a machine in each of three zones. */
const controlPlane = async (spec: object) => {
  const meta = { namespace: KEY.namespace, name: 'red' };
  const ref = (group: string, kind: string) => ({ apiGroup: `${group}.cluster.x-k8s.io`, kind, name: 'red' });
  await world.objects.ensure(kinds.awsMachineTemplate, {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachineTemplate',
    metadata: meta,
    spec: { template: { spec: { instanceType: 't3.large', ...spec } } },
  });
  await world.objects.ensure(kinds.kubeadmControlPlane, {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    metadata: meta,
    spec: {
      replicas: 3,
      version: 'v1.34.0',
      machineTemplate: { spec: { infrastructureRef: ref('infrastructure', 'AWSMachineTemplate') } },
      kubeadmConfigSpec: { format: 'cloud-config' },
    },
  });
  await world.objects.mutate(kinds.cluster, KEY, (cluster) => ({
    ...cluster,
    spec: { ...cluster.spec, controlPlaneRef: ref('controlplane', 'KubeadmControlPlane') },
  }));
};

const settings = () => world.account.settings;

interface Case {
  mistake: string;
  spec?: () => Spec;
  machines?: object;
  annotations?: Record<string, string>;
  /** The problem in the account, and how it is corrected. */
  account?: () => () => void;
  type?: string;
  says: () => string | RegExp;
}

const set =
  <T extends object, K extends keyof T>(target: () => T, key: K, value: T[K]) =>
  () => {
    const before = target()[key];
    target()[key] = value;
    return () => {
      target()[key] = before;
    };
  };

const cases: Case[] = [
  {
    mistake: 'a VPC without subnets that are listed',
    spec: () => theirs(({ vpc }) => ({ vpc })),
    type: 'SubnetsReady',
    says: () => `spec.network.subnets is empty: VPC ${user.vpcId} is not the cluster's own`,
  },
  {
    mistake: 'a VPC without routes',
    spec: () => theirs(changed(2, { isPublic: true })),
    type: 'SubnetsReady',
    says: () =>
      `spec.network.subnets[2] is public, but route table ${user.privateTableId} of subnet ${user.privateIds[0]} has no working route`,
  },
  {
    mistake: 'a subnet in the wrong zone',
    spec: () => theirs(changed(1, { availabilityZone: 'us-east-1c' })),
    type: 'SubnetsReady',
    says: () =>
      `spec.network.subnets[1].availabilityZone is us-east-1c, but subnet ${user.publicIds[1]} is in us-east-1b`,
  },
  {
    mistake: 'a security group that does not exist',
    spec: () => theirs((network) => ({ ...network, securityGroupOverrides: { node: 'sg-0123456789abcdef0' } })),
    type: 'ClusterSecurityGroupsReady',
    says: () => 'spec.network.securityGroupOverrides.node names security group sg-0123456789abcdef0, which does not',
  },
  {
    mistake: 'a quota of zero VPCs',
    account: set(() => settings().quotas, 'vpcs', 0),
    says: () =>
      /quota "VPCs per Region" \(L-F678F1CE\) is 0, \d of it used, and the cluster needs 1: raise it at https/,
  },
  {
    mistake: 'a quota of zero addresses',
    account: set(() => settings().quotas, 'addresses', 0),
    says: () => /quota "EC2-VPC Elastic IPs" \(L-0263D0A3\) is 0, 1 of it used, and the cluster needs 3/,
  },
  {
    mistake: 'a quota of zero addresses that is met on the way',
    annotations: { [SKIP_ANNOTATION]: 'all' },
    account: set(() => settings().quotas, 'addresses', 0),
    type: 'NatGatewaysReady',
    says: () => /^AddressLimitExceeded: .*the quota "EC2-VPC Elastic IPs" is used up/,
  },
  {
    mistake: 'a quota of zero load balancers',
    account: set(() => settings().elbQuotas, 'networkLoadBalancers', 0),
    says: () => /quota "Network Load Balancers per Region" \(L-69A177A2\) is 0, 0 of it used/,
  },
  {
    mistake: 'a quota of zero classic load balancers',
    spec: () => ({ controlPlaneLoadBalancer: { loadBalancerType: 'classic' as const } }),
    account: set(() => settings().elbQuotas, 'classicLoadBalancers', 0),
    says: () => /quota "Classic Load Balancers per Region" \(L-E9E9831D\) is 0, 0 of it used/,
  },
  {
    mistake: 'a quota of zero vCPUs',
    machines: {},
    account: set(() => settings().quotas, 'vcpus', 0),
    says: () => /quota "Running On-Demand Standard .*" \(L-1216C47A\) is 0, 0 of it used, and the cluster needs 6/,
  },
  {
    mistake: 'all of it at once',
    machines: { instanceType: 't4g.large', ami: { id: 'ami-0123456789abcdef0' }, iamInstanceProfile: 'none' },
    account: set(settings, 'missingInstanceProfiles', ['none']),
    says: () =>
      /\(1\) AWSMachineTemplate red spec\.template\.spec\.ami\.id: there is no image with ami-0123456789abcdef0; .*\(2\) .*iamInstanceProfile: there is no instance profile none \(NoSuchEntity\)/,
  },
  {
    mistake: 'a type that the zone does not have',
    spec: () => ({
      network: {
        subnets: [true, false].map((isPublic, index) => ({
          id: `mine-${index}`,
          availabilityZone: 'us-east-1e',
          cidrBlock: `10.0.${index}.0/24`,
          isPublic,
        })),
      },
    }),
    machines: {},
    says: () => /spec\.template\.spec\.instanceType: EC2 does not offer t3\.large in us-east-1e/,
  },
  {
    mistake: 'a permission that is not given',
    account: set(settings, 'denied', ['ec2:CreateVpc']),
    says: () => /permission to ec2:CreateVpc: UnauthorizedOperation: You are not authorized to perform this operation/,
  },
  {
    mistake: 'a region that is not enabled',
    spec: () => ({ region: 'eu-west-1' }),
    account: set(settings, 'disabledRegions', ['eu-west-1']),
    says: () => /^spec\.region: the account has no region eu-west-1, or it is not enabled there \(OptInRequired\)/,
  },
  {
    mistake: 'a region that does not exist',
    spec: () => ({ region: 'us-esat-1' }),
    says: () => /^spec\.region: the account has no region us-esat-1/,
  },
  {
    mistake: 'a name of a check that there is not',
    annotations: { [SKIP_ANNOTATION]: 'quota' },
    says: () => `metadata.annotations[${SKIP_ANNOTATION}]: quota is none of quotas, images`,
  },
];

const renew = async ({ spec = () => ({}), machines, annotations = {} }: Case) => {
  world.input = await createCluster(world.objects, spec());
  await world.objects.mutate(kinds.awsCluster, KEY, (current) => ({
    ...current,
    metadata: { ...current.metadata, annotations },
  }));
  if (machines) await controlPlane(machines);
};

const clearAway = async () => {
  await askForDeletion(world);
  await world.objects.delete(kinds.kubeadmControlPlane, KEY);
  await world.objects.delete(kinds.awsMachineTemplate, KEY);
  await remove(world);
  await world.objects.mutate(kinds.cluster, KEY, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, finalizers: [] },
  }));
};

describe('a cluster that cannot be created', () => {
  it.each(cases)('$mistake', async (wrong) => {
    await renew(wrong);
    const putRight = wrong.account?.();

    expect(await create(world)).toBe(false);

    const bad = ((await world.awsCluster()).status?.conditions ?? []).filter(({ severity }) => severity === 'Error');
    const said = wrong.says();
    expect(bad.map(({ type }) => type).filter((type) => type !== 'Ready')).toEqual([wrong.type ?? 'VpcReady']);
    expect(bad[0]?.message).toEqual(
      typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said),
    );
    expect(bad[0]?.message).not.toContain('Encoded');
    putRight?.();
    await clearAway();
    expect(await inventory(world)).toEqual(untouched);
  });
});

describe('a missing permission to read', () => {
  it('is reported once, and the cluster is created', async () => {
    const wrong = { mistake: '', machines: { iamInstanceProfile: 'nodes' }, says: () => '' };
    await renew(wrong);
    const putRight = set(settings, 'denied', ['servicequotas:GetServiceQuota', 'iam:GetInstanceProfile'])();

    expect(await create(world)).toBe(true);
    putRight();

    const events = await world.objects.list(kinds.event, KEY.namespace);
    const told = events.filter(({ reason }) => reason === 'PreflightIncomplete');
    expect(told).toHaveLength(1);
    expect(told[0]?.message).toMatch(/not checked: quota "VPCs per Region", .*AccessDenied.*instance profile nodes/);
    await clearAway();
    expect(await inventory(world)).toEqual(untouched);
  });
});
