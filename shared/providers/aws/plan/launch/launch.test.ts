import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachine, Machine } from '../../../../kinds/index.ts';
import { chooseImage, imageQuery, newestImage } from './image.ts';
import { launchRequest } from './request.ts';
import { chooseNamed, clusterPlaces, subnetQuery } from './subnet.ts';

const machine = (over: Partial<Machine['spec']> = {}, name = 'm-1'): Machine =>
  ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, namespace: 'default', uid: 'uid-1', labels: { 'cluster.x-k8s.io/control-plane': '' } },
    spec: { clusterName: 'red', version: 'v1.34.0', bootstrap: {}, infrastructureRef: {}, ...over },
  }) as Machine;

const infrastructure = (spec: Partial<AWSMachine['spec']> = {}): AWSMachine =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSMachine',
    metadata: { name: 'm-1', namespace: 'default' },
    spec: { instanceType: 't3.large', ...spec },
  }) as AWSMachine;

const subnet = (id: string, zone: string, isPublic: boolean) => ({
  id,
  resourceID: id,
  availabilityZone: zone,
  isPublic,
});
const cluster = (spec: Partial<AWSCluster['spec']> = {}): AWSCluster =>
  ({
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'AWSCluster',
    metadata: { name: 'red', namespace: 'default' },
    spec: {
      region: 'us-east-1',
      network: { subnets: [subnet('pub-a', 'a', true), subnet('priv-a', 'a', false), subnet('priv-b', 'b', false)] },
      ...spec,
    },
  }) as AWSCluster;

const PAST = '2026-06-01T00:00:00.000Z';
const LATER = '2026-06-01T00:00:01.000Z';

describe('imageQuery', () => {
  it.each([
    { reason: 'an id', of: infrastructure({ ami: { id: 'ami-1' } }), wanted: { id: 'ami-1' } },
    {
      reason: "the provider's defaults",
      of: infrastructure(),
      wanted: { owner: '819546954734', name: 'capa-ami-ubuntu-24.04-?1.34.0-*', architecture: 'x86_64' },
    },
    {
      reason: "the machine's own lookup before the cluster's",
      of: infrastructure({ imageLookupFormat: 'mine-{{.BaseOS}}-{{.K8sVersion}}', imageLookupBaseOS: 'flatcar' }),
      wanted: { owner: '111111111111', name: 'mine-flatcar-1.34.0', architecture: 'x86_64' },
      cluster: { imageLookupFormat: 'not-{{.BaseOS}}', imageLookupOrg: '111111111111', imageLookupBaseOS: 'not' },
    },
  ])('is $reason', ({ of, wanted, cluster: spec }) => {
    expect(imageQuery(of, cluster(spec), 'v1.34.0', 'x86_64')).toEqual(wanted);
  });

  it('selects the newest of the matches', () => {
    const images = [{ CreationDate: '2026-01-02' }, { CreationDate: '2026-03-01' }, { CreationDate: '2025-12-31' }];
    expect(newestImage(images)).toEqual({ CreationDate: '2026-03-01' });
    expect(newestImage([])).toBeUndefined();
  });

  it.each([
    { reason: 'the newest that is not deprecated', deprecated: { old: undefined, new: PAST }, wanted: 'old' },
    { reason: 'the newest, which will be deprecated later', deprecated: { old: undefined, new: LATER }, wanted: 'new' },
    { reason: 'the newest if all are deprecated', deprecated: { old: PAST, new: PAST }, wanted: 'new' },
  ])('takes $reason', ({ deprecated, wanted }) => {
    const images = (['old', 'new'] as const).map((name, index) => ({
      name,
      CreationDate: `2026-0${index + 1}-01`,
      ...(deprecated[name] ? { DeprecationTime: deprecated[name] } : {}),
    }));
    expect(chooseImage(images, new Date('2026-06-01T00:00:00Z'))?.name).toBe(wanted);
  });
});

const place = (id: string, zone: string) => ({ id, zone, hasIpv6: false });
const worker = (over: Partial<Machine['spec']> = {}, name = 'w-1'): Machine => {
  const made = machine(over, name);
  return { ...made, metadata: { ...made.metadata, labels: {} } };
};

describe('clusterPlaces', () => {
  it.each([
    {
      reason:
        'the subnet of the failure domain, and then the others for a control plane machine that finds no capacity there',
      of: machine({ failureDomain: 'b' }),
      with: {},
      wanted: [place('priv-b', 'b'), place('priv-a', 'a')],
    },
    {
      reason: 'only the subnet of the failure domain for a worker, because the user has chosen it',
      of: worker({ failureDomain: 'b' }),
      with: {},
      wanted: [place('priv-b', 'b')],
    },
    {
      reason: 'a public subnet if the machine wants a public address',
      of: machine({ failureDomain: 'a' }),
      with: { publicIP: true },
      wanted: [place('pub-a', 'a')],
    },
  ])('is $reason', ({ of, with: spec, wanted }) => {
    expect(clusterPlaces(of, infrastructure(spec), cluster())).toEqual({ places: wanted });
  });

  it('never puts a machine into a public subnet by itself, and spreads machines over the zones', () => {
    const chosen = Array.from({ length: 40 }, (_, index) =>
      clusterPlaces(worker({}, `m-${index}`), infrastructure(), cluster()),
    );
    expect(new Set(chosen.map((choice) => ('places' in choice ? choice.places[0]?.id : choice.problem)))).toEqual(
      new Set(['priv-a', 'priv-b']),
    );
  });

  it('waits for a subnet that is not on record, unless another system manages the infrastructure', () => {
    const unrecorded = { id: 'subnet-1', availabilityZone: 'b' };
    const red = cluster({ network: { subnets: [subnet('priv-a', 'a', false), unrecorded] } });
    const annotations = { 'cluster.x-k8s.io/managed-by': 'terraform' };
    const choose = (of: AWSCluster) => clusterPlaces(worker({ failureDomain: 'b' }), infrastructure(), of);
    expect(choose(red)).toEqual({ problem: 'the cluster has no private subnet in failure domain b yet' });
    expect(choose({ ...red, metadata: { ...red.metadata, annotations } })).toEqual({
      places: [place('subnet-1', 'b')],
    });
  });

  it('excludes subnets for pods and those of edge zones', () => {
    const pods = {
      ...subnet('pods', 'a', false),
      tags: { 'sigs.k8s.io/cluster-api-provider-aws/association': 'secondary' },
    };
    const edge = { ...subnet('edge', 'a-edge', false), zoneType: 'local-zone' as const };
    const red = cluster({ network: { subnets: [pods, edge, subnet('priv-b', 'b', false)] } });
    expect(clusterPlaces(worker(), infrastructure(), red)).toEqual({ places: [place('priv-b', 'b')] });
  });

  it('says which subnet is missing', () => {
    expect(clusterPlaces(machine({ failureDomain: 'z' }), infrastructure(), cluster())).toEqual({
      problem: 'the cluster has no private subnet in failure domain z',
    });
  });
});

describe('chooseNamed', () => {
  const found = (id: string, zone: string, more: object = {}) => ({
    id,
    zone,
    vpcId: 'vpc-1',
    hasIpv6: false,
    tags: {},
    ...more,
  });
  const named = infrastructure({ subnet: { filters: [{ name: 'tag:tier', values: ['app'] }] } });
  const mine = cluster({ network: { vpc: { id: 'vpc-1' }, subnets: [subnet('pub-a', 'a', true)] } });

  it('queries EC2 by id and filters, with the EC2 id of a subnet of the cluster', () => {
    const red = cluster({ network: { subnets: [{ id: 'mine', resourceID: 'subnet-9', availabilityZone: 'a' }] } });
    expect(subnetQuery(infrastructure({ subnet: { id: 'mine' } }), red)).toEqual([
      { name: 'state', values: ['pending', 'available'] },
      { name: 'subnet-id', values: ['subnet-9'] },
    ]);
    expect(subnetQuery(named, red)?.at(-1)).toEqual({ name: 'tag:tier', values: ['app'] });
    expect(subnetQuery(infrastructure(), red)).toBeUndefined();
  });

  it('prefers the VPC of the cluster', () => {
    const all = [found('other', 'a', { vpcId: 'vpc-2' }), found('ours', 'b')];
    expect(chooseNamed(worker(), named, mine, all)).toEqual({ places: [place('ours', 'b')] });
  });

  it.each([
    {
      reason: 'another zone',
      of: worker({ failureDomain: 'c' }),
      spec: {},
      subnets: [found('s', 'a')],
      wanted: /s is in a, not in failure domain c/,
    },
    {
      reason: 'a private subnet',
      of: worker(),
      spec: { publicIP: true },
      subnets: [found('s', 'a')],
      wanted: /s is not a public subnet/,
    },
    {
      reason: 'a subnet for pods',
      of: worker(),
      spec: {},
      subnets: [found('s', 'a', { tags: { 'sigs.k8s.io/cluster-api-provider-aws/association': 'secondary' } })],
      wanted: /secondary CIDR block/,
    },
    {
      reason: 'no matching subnet',
      of: worker(),
      spec: {},
      subnets: [],
      wanted: /^spec.subnet.filters: there is no such subnet$/,
    },
  ])('refuses $reason and names the field', ({ of, spec, subnets, wanted }) => {
    const choice = chooseNamed(of, infrastructure({ ...named.spec, ...spec }), mine, subnets);
    expect('problem' in choice && choice.problem).toMatch(wanted);
  });
});

describe('launchRequest', () => {
  const facts = (spec: Partial<AWSMachine['spec']> = {}, clusterSpec: Partial<AWSCluster['spec']> = {}) => ({
    cluster: { namespace: 'default', name: 'red' },
    machine: machine(),
    infrastructure: infrastructure(spec),
    awsCluster: cluster(clusterSpec),
    image: { id: 'ami-1', rootDevice: '/dev/sda1' },
    instanceType: 't3.large',
    attempt: 0,
    place: place('priv-a', 'a'),
    securityGroupIds: ['sg-1', 'sg-2'],
  });

  it('contains the uid as client token, and all tags', () => {
    const request = launchRequest(facts({ additionalTags: { team: 'a' } }));
    expect(request.ClientToken).toBe('uid-1');
    expect(request.TagSpecifications?.map(({ ResourceType }) => ResourceType)).toEqual([
      'instance',
      'volume',
      'network-interface',
    ]);
    expect(request.TagSpecifications?.[0]?.Tags).toEqual(
      expect.arrayContaining([
        { Key: 'Name', Value: 'm-1' },
        { Key: 'team', Value: 'a' },
        { Key: 'MachineName', Value: 'default/m-1' },
        { Key: 'kubernetes.io/cluster/red', Value: 'owned' },
        { Key: 'sigs.k8s.io/cluster-api-provider-aws/cluster/red', Value: 'owned' },
        { Key: 'sigs.k8s.io/cluster-api-provider-aws/role', Value: 'control-plane' },
      ]),
    );
  });

  it('requires IMDSv2 with hop limit 1 and encrypts volumes unless told otherwise', () => {
    expect(launchRequest(facts())).toMatchObject({
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      BlockDeviceMappings: [{ DeviceName: '/dev/sda1', Ebs: { Encrypted: true, DeleteOnTermination: true } }],
    });
    const open = facts({
      rootVolume: { size: 20, encrypted: false },
      instanceMetadataOptions: { httpTokens: 'optional' },
    });
    expect(launchRequest(open)).toMatchObject({
      MetadataOptions: { HttpTokens: 'optional' },
      BlockDeviceMappings: [{ Ebs: { Encrypted: false, VolumeSize: 20 } }],
    });
  });

  it.each([
    { reason: 'the default pair', machineKey: undefined, clusterKey: undefined, wanted: 'default' },
    { reason: "the cluster's", machineKey: undefined, clusterKey: 'ours', wanted: 'ours' },
    { reason: "the machine's", machineKey: 'mine', clusterKey: 'ours', wanted: 'mine' },
    { reason: 'none if it is empty', machineKey: undefined, clusterKey: '', wanted: undefined },
  ])('takes the SSH key: $reason', ({ machineKey, clusterKey, wanted }) => {
    expect(launchRequest(facts({ sshKeyName: machineKey }, { sshKeyName: clusterKey })).KeyName).toBe(wanted);
  });

  it.each([
    { reason: 'none', clusterKey: undefined, wanted: undefined },
    { reason: "the cluster's", clusterKey: 'ours', wanted: 'ours' },
  ])('takes the SSH key in an externally managed cluster: $reason', ({ clusterKey, wanted }) => {
    const given = facts({}, { sshKeyName: clusterKey });
    const annotations = { 'cluster.x-k8s.io/managed-by': 'terraform' };
    const awsCluster = { ...given.awsCluster, metadata: { ...given.awsCluster.metadata, annotations } };
    expect(launchRequest({ ...given, awsCluster }).KeyName).toBe(wanted);
  });
});
