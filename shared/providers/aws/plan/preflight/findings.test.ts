import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachineTemplate } from '../../../../kinds/index.ts';
import { SKIP_ANNOTATION } from '../../../../kinds/rules/aws/wishes.ts';
import { findingsOf, queryOf } from './findings.ts';
import { openParts, skipProblem, unpassed, withPassed } from './gate.ts';
import { type Fact, type Facts, type ImageFacts, imageKey, type Wants } from './model.ts';
import { quotasOf } from './needs.ts';
import { QUOTAS, vcpuQuota } from './quotas.ts';
import { wantsOf } from './wants.ts';

const CLUSTER = { namespace: 'default', name: 'red' };
const ZONES = ['us-east-1a', 'us-east-1b'];

const subnet = (isPublic: boolean, zone: string, more: object = {}) => ({
  id: `red-subnet-${isPublic ? 'public' : 'private'}-${zone}`,
  availabilityZone: zone,
  isPublic,
  cidrBlock: isPublic ? '10.0.0.0/24' : '10.0.64.0/18',
  ...more,
});

const SUBNETS = ZONES.flatMap((zone) => [subnet(true, zone), subnet(false, zone)]);

const awsCluster = (network: object = {}, annotations: Record<string, string> = {}): AWSCluster =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { ...CLUSTER, annotations },
    spec: { region: 'us-east-1', network: { vpc: {}, subnets: SUBNETS, ...network } },
  }) as AWSCluster;

const template = (name: string, spec: object = {}): AWSMachineTemplate =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachineTemplate',
    metadata: { namespace: 'default', name },
    spec: { template: { spec: { instanceType: 't3.large', iamInstanceProfile: 'nodes', ...spec } } },
  }) as AWSMachineTemplate;

const ALL = { network: true, machines: true };
const machines = (spec: object = {}, replicas = 3) => [
  { template: template('md', spec), replicas, version: 'v1.34.0' },
];
const wantsWith = (spec: object = {}, owner = awsCluster(), replicas = 3): Wants =>
  wantsOf(CLUSTER, owner, machines(spec, replicas), ALL);

const IMAGE: ImageFacts = {
  id: 'ami-1',
  state: 'available',
  architecture: 'x86_64',
  rootDeviceType: 'ebs',
  createdAt: '2026-01-01',
};

const TYPES = new Map([
  ['t3.large', { vcpus: 2, architectures: ['x86_64'] }],
  ['t4g.large', { vcpus: 2, architectures: ['arm64'] }],
]);

/** An account that passes every check, except for what a test changes. */
const factsFor = (wants: Wants, change: Partial<Facts> = {}, image: ImageFacts | null = IMAGE): Facts => {
  const facts: Facts = {
    quotas: new Map([...quotasOf(wants), QUOTAS.natGateways].map(({ code }) => [code, { value: 100 }])),
    vpcs: { value: 5 },
    addresses: { value: 5 },
    networkLoadBalancers: { value: 1 },
    natGateways: { value: 5 },
    running: { value: [{ instanceType: 'm5.large', isSpot: false, vcpus: 2 }] },
    types: { value: TYPES },
    offers: { value: new Map([...TYPES.keys()].map((type) => [type, ZONES])) },
    profiles: new Map([['nodes', { value: true }]]),
    permissions: [{ action: 'ec2:CreateVpc', refusal: { value: undefined } }],
    images: new Map(),
    ...change,
  };
  const images = wants.machines.flatMap((one): [string, Fact<ImageFacts | undefined>][] => {
    const query = queryOf(wants, one, facts);
    return query ? [[imageKey(query), { value: image ?? undefined }]] : [];
  });
  return { ...facts, images: new Map(images) };
};

const limited = (wants: Wants, code: string, limit: number) =>
  new Map([
    ...[...quotasOf(wants), QUOTAS.natGateways].map(({ code: each }): [string, Fact<number>] => [each, { value: 100 }]),
    [code, { value: limit }],
  ] as const);

describe('an account', () => {
  it('that has everything lacks nothing', () => {
    const wants = wantsWith();
    expect(findingsOf(wants, factsFor(wants))).toEqual({ missing: [], unseen: [] });
  });

  it.each([
    [
      'VPCs',
      'L-F678F1CE',
      5,
      /^quota "VPCs per Region" \(L-F678F1CE\) is 5, 5 of it used, and the cluster needs 1: raise it at https:/,
    ],
    ['addresses', 'L-0263D0A3', 6, /"EC2-VPC Elastic IPs" .* is 6, 5 of it used, and the cluster needs 2/],
    [
      'load balancers',
      'L-69A177A2',
      0,
      /"Network Load Balancers per Region" .* is 0, 1 of it used, and the cluster needs 1/,
    ],
    [
      'NAT gateways',
      'L-FE5A380F',
      5,
      /"NAT gateways per Availability Zone" .* is 5, 5 of it used, and the cluster needs 1/,
    ],
    ['vCPUs', 'L-1216C47A', 7, /"Running On-Demand Standard .* is 7, 2 of it used, and the cluster needs 6/],
  ])('is reported with too small a quota of %s', (_, code, limit, message) => {
    const wants = wantsWith();
    const { missing } = findingsOf(wants, factsFor(wants, { quotas: limited(wants, code, limit) }));
    expect(missing).toEqual([expect.stringMatching(message)]);
  });

  it.each<[string, object, Partial<Facts>, ImageFacts | null | undefined, RegExp]>([
    [
      'no such type',
      { instanceType: 't9.huge' },
      {},
      undefined,
      /md spec\.template\.spec\.instanceType: EC2 has no instance type t9\.huge/,
    ],
    [
      'the type in other zones only',
      {},
      { offers: { value: new Map([['t3.large', ['us-east-1f']]]) } },
      undefined,
      /instanceType: EC2 does not offer t3\.large in us-east-1a, us-east-1b/,
    ],
    [
      'no image',
      {},
      {},
      null,
      /ami: there is no image with owner 819546954734, name capa-ami-ubuntu-24\.04-\?1\.34\.0-\*/,
    ],
    ['no image of that id', { ami: { id: 'ami-9' } }, {}, null, /spec\.ami\.id: there is no image with ami-9/],
    [
      'an image of another architecture',
      { ami: { id: 'ami-1' }, instanceType: 't4g.large' },
      {},
      undefined,
      /ami-1 is for x86_64, and t4g\.large runs arm64/,
    ],
    [
      'an image that fails',
      { ami: { id: 'ami-1' } },
      {},
      { ...IMAGE, state: 'failed' },
      /image ami-1 is failed, not available/,
    ],
    [
      'an image without a volume',
      {},
      {},
      { ...IMAGE, rootDeviceType: 'instance-store' },
      /root device of image ami-1 is instance-store/,
    ],
    [
      'no instance profile',
      {},
      { profiles: new Map([['nodes', { value: false }]]) },
      undefined,
      /iamInstanceProfile: there is no instance profile nodes \(NoSuchEntity\)/,
    ],
    [
      'no permission',
      {},
      { permissions: [{ action: 'ec2:CreateVpc', refusal: { value: 'UnauthorizedOperation: no' } }] },
      undefined,
      /^permission to ec2:CreateVpc: UnauthorizedOperation: no/,
    ],
  ])('is reported with %s', (_, spec, change, image, message) => {
    const wants = wantsWith(spec);
    const { missing } = findingsOf(wants, factsFor(wants, change, image));
    expect(missing).toEqual([expect.stringMatching(message)]);
  });

  it('is checked with the tags that the resources will have, which a policy of the organization may require', () => {
    const owner = awsCluster({ vpc: { tags: { CostCenter: '7' } } });
    owner.spec.additionalTags = { CostCenter: '42', Team: 'red' };
    const { network } = wantsWith({}, owner);
    expect(network?.vpc?.tags).toMatchObject({ CostCenter: '7', Team: 'red' });
    expect(network?.addressTags).toMatchObject({ CostCenter: '42', Team: 'red' });
  });

  it.each([
    ['us-gov-west-1', 'https://us-gov-west-1.console.amazonaws-us-gov.com/servicequotas/'],
    ['us-iso-east-1', 'raise it in Service Quotas or free some'],
    [undefined, 'https://us-east-1.console.aws.amazon.com/servicequotas/'],
  ])('is reported in %s with the place to raise a quota', (region, place) => {
    const cluster = awsCluster();
    const wants = wantsWith({}, { ...cluster, spec: { ...cluster.spec, region } as AWSCluster['spec'] });
    const quotas = limited(wants, 'L-F678F1CE', 0);
    expect(findingsOf(wants, factsFor(wants, { quotas })).missing[0]).toContain(place);
  });

  it('is reported with everything that it lacks, each thing once', () => {
    const wants = wantsOf(CLUSTER, awsCluster(), [...machines({}), ...machines({}, 1)], ALL);
    const profiles = new Map([['nodes', { value: false }]]);
    const quotas = limited(wants, 'L-0263D0A3', 0);
    expect(findingsOf(wants, factsFor(wants, { profiles, quotas })).missing).toHaveLength(2);
  });

  it('is not assumed to fail without permission, and a check that the user skips reports nothing', () => {
    const denied = { unknown: 'AccessDenied: no' };
    const wants = wantsWith();
    const quotas = new Map(quotasOf(wants).map(({ code }) => [code, denied]));
    const change = { quotas, profiles: new Map([['nodes', denied]]) };
    const { missing, unseen } = findingsOf(wants, factsFor(wants, change));
    expect(missing).toEqual([]);
    expect(unseen).toEqual([
      expect.stringMatching(/^quota "VPCs per Region", .*instance profile nodes \(AccessDenied: no\)$/),
    ]);
    const waived = wantsWith({}, awsCluster({}, { [SKIP_ANNOTATION]: 'quotas, instance-profiles' }));
    expect(findingsOf(waived, factsFor(waived, change))).toEqual({ missing: [], unseen: [] });
    expect(skipProblem(waived.awsCluster)).toBeUndefined();
    expect(skipProblem(awsCluster({}, { [SKIP_ANNOTATION]: 'quota' }))).toMatch(/: quota is none of quotas, images/);
  });
});

describe('subnets', () => {
  it('of the user must have room', () => {
    const subnets = ZONES.map((zone, index) => subnet(false, zone, { id: `subnet-0123456${index}` }));
    const wants = wantsWith({}, awsCluster({ vpc: { id: 'vpc-1' }, subnets }), 10);
    const free = {
      value: new Map([
        ['subnet-01234560', 0],
        ['subnet-01234561', 4],
      ]),
    };
    expect(findingsOf(wants, factsFor(wants, { free })).missing).toEqual([
      'spec.network.subnets[0]: subnet subnet-01234560 has no free address (InsufficientFreeAddressesInSubnet)',
      expect.stringMatching(/subnet-01234560, subnet-01234561 have 4 free addresses for 10 machines/),
    ]);
  });

  it('to be created must have room', () => {
    const subnets = ZONES.flatMap((zone) => [subnet(true, zone), subnet(false, zone, { cidrBlock: '10.0.64.0/28' })]);
    const wants = wantsWith({}, awsCluster({ subnets }), 30);
    expect(findingsOf(wants, factsFor(wants)).missing).toEqual([
      expect.stringMatching(/have 22 free addresses for 30/),
    ]);
  });
});

describe('the checked parts', () => {
  it('are those that have not passed a check before', () => {
    const wants = wantsWith();
    const owner = withPassed(awsCluster(), wants);
    expect(unpassed(wants)).toEqual(ALL);
    expect(unpassed(wantsWith({}, owner))).toEqual({ network: false, machines: false });
    expect(unpassed(wantsWith({ instanceType: 'm5.large' }, owner))).toEqual({ network: false, machines: true });
  });

  it('exclude an existing network, and machines of which one is running', () => {
    const machine = (providerID?: string) =>
      [{ spec: { clusterName: 'red', ...(providerID ? { providerID } : {}) } }] as never;
    expect(openParts(awsCluster(), machine())).toEqual(ALL);
    expect(openParts(awsCluster({ vpc: { id: 'vpc-1' } }), machine())).toEqual(ALL);
    expect(openParts(awsCluster(), machine('aws:///us-east-1a/i-1'))).toEqual({ network: false, machines: false });
    const ready = { ...awsCluster(), status: { conditions: [{ type: 'VpcReady', status: 'True' }] } } as AWSCluster;
    expect(openParts(ready, machine())).toEqual({ network: false, machines: true });
  });

  it('count each family of instance types separately, and spot instances separately', () => {
    const codes = [
      't3.large',
      'is4gen.large',
      'inf2.xlarge',
      'p5.48xlarge',
      'g6.xlarge',
      'gr6.4xlarge',
      'trn1.2xlarge',
      'u-6tb1.metal',
      'x2idn.large',
      'mac2.metal',
    ];
    expect(codes.map((type) => vcpuQuota(type, false)?.code)).toEqual([
      'L-1216C47A',
      'L-1216C47A',
      'L-1945791B',
      'L-417A185B',
      'L-DB2E81BA',
      'L-DB2E81BA',
      'L-2C3B7624',
      'L-43DA4232',
      'L-7295265B',
      undefined,
    ]);
    expect(vcpuQuota('m5.large', true)?.code).toBe('L-34B43A08');
  });
});
