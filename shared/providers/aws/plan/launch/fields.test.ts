/** Covers every field of an AWSMachine's spec and its effect on RunInstances. */
import { describe, expect, it } from 'vitest';
import type { AWSCluster, AWSMachine, Machine } from '../../../../kinds/index.ts';
import { awsMachineSpec } from '../../../../kinds/schema/aws-machine-spec.ts';
import { launchProblem } from './refusals.ts';
import { launchRequest } from './request.ts';

type Spec = Partial<AWSMachine['spec']>;

const machine = {
  metadata: { name: 'm-1', namespace: 'default', uid: 'uid-1' },
  spec: { clusterName: 'red', version: 'v1.34.0' },
} as Machine;
const dual = { region: 'us-east-1', network: { vpc: { ipv6: {} } } };

const factsOf = (spec: Spec, over: { hasIpv6?: boolean; cluster?: object } = {}) => ({
  cluster: { namespace: 'default', name: 'red' },
  machine,
  infrastructure: { metadata: { name: 'm-1' }, spec: { instanceType: 't3.large', ...spec } } as AWSMachine,
  awsCluster: { metadata: { name: 'red' }, spec: over.cluster ?? { region: 'us-east-1' } } as AWSCluster,
  instanceType: spec.instanceType ?? 't3.large',
  attempt: 0,
  image: { id: 'ami-1', rootDevice: '/dev/xvda', sizeGib: 16 },
  place: { id: 'subnet-1', zone: 'us-east-1a', hasIpv6: over.hasIpv6 ?? false },
  securityGroupIds: ['sg-1'],
});

interface Row {
  field: keyof AWSMachine['spec'];
  spec: Spec;
  over?: Parameters<typeof factsOf>[1];
  /** The part of the request that the field sets. */
  wanted: object;
}

const card = (more: object) => ({ NetworkInterfaces: [{ DeviceIndex: 0, SubnetId: 'subnet-1', ...more }] });
const host = 'h-0123456789abcdef0';

const rows: Row[] = [
  { field: 'instanceType', spec: { instanceType: 'm5.large' }, wanted: { InstanceType: 'm5.large' } },
  {
    field: 'iamInstanceProfile',
    spec: { iamInstanceProfile: 'nodes' },
    wanted: { IamInstanceProfile: { Name: 'nodes' } },
  },
  { field: 'sshKeyName', spec: { sshKeyName: 'mine' }, wanted: { KeyName: 'mine' } },
  { field: 'publicIP', spec: { publicIP: true }, wanted: card({ AssociatePublicIpAddress: true }) },
  {
    field: 'elasticIpPool',
    spec: { publicIP: true, elasticIpPool: { publicIpv4Pool: 'ipv4pool-ec2-1', publicIpv4PoolFallbackOrder: 'none' } },
    wanted: card({ AssociatePublicIpAddress: false }),
  },
  {
    field: 'assignPrimaryIPv6',
    spec: { assignPrimaryIPv6: 'enabled' },
    over: { hasIpv6: true, cluster: dual },
    wanted: card({ PrimaryIpv6: true, Ipv6AddressCount: 1 }),
  },
  {
    field: 'networkInterfaces',
    spec: { networkInterfaces: ['eni-1', 'eni-2'] },
    wanted: {
      NetworkInterfaces: [
        { NetworkInterfaceId: 'eni-1', DeviceIndex: 0 },
        { NetworkInterfaceId: 'eni-2', DeviceIndex: 1 },
      ],
    },
  },
  { field: 'networkInterfaceType', spec: { networkInterfaceType: 'efa' }, wanted: card({ InterfaceType: 'efa' }) },
  {
    field: 'rootVolume',
    spec: {
      rootVolume: {
        size: 80,
        type: 'io2',
        iops: 4000,
        encryptionKey: 'key-1',
        encrypted: false,
        deviceName: '/dev/mine',
      },
    },
    wanted: {
      BlockDeviceMappings: [
        {
          DeviceName: '/dev/xvda',
          Ebs: {
            DeleteOnTermination: true,
            Encrypted: true,
            VolumeSize: 80,
            VolumeType: 'io2',
            Iops: 4000,
            KmsKeyId: 'key-1',
          },
        },
      ],
    },
  },
  {
    field: 'nonRootVolumes',
    spec: { nonRootVolumes: [{ deviceName: '/dev/sdb', size: 10, type: 'gp3', throughput: 250 }] },
    wanted: {
      BlockDeviceMappings: [
        { DeviceName: '/dev/xvda' },
        { DeviceName: '/dev/sdb', Ebs: { VolumeSize: 10, VolumeType: 'gp3', Throughput: 250, Encrypted: true } },
      ],
    },
  },
  {
    field: 'instanceMetadataOptions',
    spec: {
      instanceMetadataOptions: {
        httpProtocolIpv6: 'enabled',
        instanceMetadataTags: 'enabled',
        httpPutResponseHopLimit: 2,
      },
    },
    wanted: {
      MetadataOptions: {
        HttpEndpoint: 'enabled',
        HttpProtocolIpv6: 'enabled',
        HttpPutResponseHopLimit: 2,
        HttpTokens: 'required',
        InstanceMetadataTags: 'enabled',
      },
    },
  },
  {
    field: 'spotMarketOptions',
    spec: { spotMarketOptions: { maxPrice: '0.05' } },
    wanted: {
      InstanceMarketOptions: {
        MarketType: 'spot',
        SpotOptions: { MaxPrice: '0.05', InstanceInterruptionBehavior: 'terminate', SpotInstanceType: 'one-time' },
      },
    },
  },
  { field: 'marketType', spec: { marketType: 'Spot' }, wanted: { InstanceMarketOptions: { MarketType: 'spot' } } },
  {
    field: 'capacityReservationId',
    spec: { marketType: 'CapacityBlock', capacityReservationId: 'cr-1' },
    wanted: {
      InstanceMarketOptions: { MarketType: 'capacity-block' },
      CapacityReservationSpecification: { CapacityReservationTarget: { CapacityReservationId: 'cr-1' } },
    },
  },
  {
    field: 'capacityReservationPreference',
    spec: { capacityReservationPreference: 'CapacityReservationsOnly' },
    wanted: { CapacityReservationSpecification: { CapacityReservationPreference: 'capacity-reservations-only' } },
  },
  { field: 'tenancy', spec: { tenancy: 'dedicated' }, wanted: { Placement: { Tenancy: 'dedicated' } } },
  {
    field: 'placementGroupPartition',
    spec: { placementGroupName: 'x', placementGroupPartition: 1 },
    wanted: { Placement: { PartitionNumber: 1 } },
  },
  {
    field: 'placementGroupName',
    spec: { placementGroupName: 'near', placementGroupPartition: 3 },
    wanted: { Placement: { GroupName: 'near', PartitionNumber: 3 } },
  },
  {
    field: 'hostID',
    spec: { hostID: host },
    wanted: { Placement: { Tenancy: 'host', HostId: host, Affinity: 'default' } },
  },
  {
    field: 'hostAffinity',
    spec: { hostID: host, tenancy: 'host', hostAffinity: 'host' },
    wanted: { Placement: { Tenancy: 'host', HostId: host, Affinity: 'host' } },
  },
  {
    field: 'dynamicHostAllocation',
    spec: { tenancy: 'host', hostAffinity: 'host', dynamicHostAllocation: {} },
    wanted: { Placement: { Tenancy: 'host', Affinity: 'host' } },
  },
  {
    field: 'cpuOptions',
    spec: {
      cpuOptions: { confidentialCompute: 'AMDEncryptedVirtualizationNestedPaging', nestedVirtualization: 'disabled' },
    },
    wanted: { CpuOptions: { AmdSevSnp: 'enabled', NestedVirtualization: 'disabled' } },
  },
  {
    field: 'privateDnsName',
    spec: {
      privateDnsName: {
        hostnameType: 'resource-name',
        enableResourceNameDnsARecord: true,
        enableResourceNameDnsAAAARecord: false,
      },
    },
    wanted: {
      PrivateDnsNameOptions: {
        HostnameType: 'resource-name',
        EnableResourceNameDnsARecord: true,
        EnableResourceNameDnsAAAARecord: false,
      },
    },
  },
  {
    field: 'additionalTags',
    spec: { additionalTags: { team: 'a' } },
    wanted: {
      TagSpecifications: [
        { ResourceType: 'instance', Tags: expect.arrayContaining([{ Key: 'team', Value: 'a' }]) },
        {},
        {},
      ],
    },
  },
];

/** Fields that determine the whole request or the bootstrap data; they have their own tests. */
const ELSEWHERE = [
  'ami',
  'imageLookupFormat',
  'imageLookupOrg',
  'imageLookupBaseOS',
  'subnet',
  'additionalSecurityGroups',
  'securityGroupOverrides',
  'cloudInit',
  'ignition',
  'uncompressedUserData',
  'providerID',
  'instanceID',
];

describe('launchRequest', () => {
  it.each(rows)('contains $field: $spec', ({ spec, over, wanted }) => {
    expect(launchRequest(factsOf(spec, over))).toMatchObject(wanted);
  });

  it('is tested with every field of an AWSMachine', () => {
    const known = new Set([...rows.map(({ field }) => field), ...ELSEWHERE]);
    expect([...known].sort()).toEqual(Object.keys(awsMachineSpec.shape).sort());
  });

  it('requests nothing that is disabled', () => {
    const { NetworkInterfaces } = launchRequest(
      factsOf({ assignPrimaryIPv6: 'disabled' }, { hasIpv6: true, cluster: dual }),
    );
    expect(NetworkInterfaces?.[0]).not.toHaveProperty('PrimaryIpv6');
    expect(launchRequest(factsOf({ marketType: 'OnDemand' }))).not.toHaveProperty('InstanceMarketOptions');
  });

  it('has a new client token after each refusal, and tags no interface that Windlass does not create', () => {
    expect(launchRequest({ ...factsOf({}), attempt: 2 }).ClientToken).toBe('uid-1-2');
    const types = launchRequest(factsOf({ networkInterfaces: ['eni-1'] })).TagSpecifications;
    expect(types?.map(({ ResourceType }) => ResourceType)).toEqual(['instance', 'volume']);
  });
});

describe('launchProblem', () => {
  it.each([
    { spec: { rootVolume: { size: 8 } }, wanted: /^spec\.rootVolume\.size: 8 GiB is less than the 16 GiB/ },
    { spec: { assignPrimaryIPv6: 'enabled' as const }, wanted: /^spec\.assignPrimaryIPv6: the VPC/ },
    { spec: { placementGroupPartition: 2 }, wanted: /^spec\.placementGroupPartition: needs/ },
    { spec: { networkInterfaces: ['eni-1'], publicIP: true }, wanted: /^spec\.publicIP: EC2 gives/ },
    { spec: { hostID: host, tenancy: 'dedicated' as const }, wanted: /^spec\.hostID: needs/ },
  ])('refuses $spec and names the field', ({ spec, wanted }) => {
    expect(launchProblem(factsOf(spec))).toMatch(wanted);
  });
});
