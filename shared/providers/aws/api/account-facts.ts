import { type AutoScalingClient, DescribeAccountLimitsCommand } from '@aws-sdk/client-auto-scaling';
import {
  type _InstanceType,
  AllocateAddressCommand,
  CreateSecurityGroupCommand,
  CreateVpcCommand,
  DescribeAddressesCommand,
  DescribeRegionsCommand,
  type EC2Client,
  GetEbsDefaultKmsKeyIdCommand,
  paginateDescribeInstances,
  paginateDescribeInstanceTypeOfferings,
  paginateDescribeInstanceTypes,
  paginateDescribeNatGateways,
  paginateDescribeSubnets,
  paginateDescribeVpcs,
} from '@aws-sdk/client-ec2';
import {
  type ElasticLoadBalancingClient,
  paginateDescribeLoadBalancers as paginateDescribeClassic,
} from '@aws-sdk/client-elastic-load-balancing';
import {
  type ElasticLoadBalancingV2Client,
  paginateDescribeLoadBalancers,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { GetInstanceProfileCommand, GetRoleCommand, type IAMClient } from '@aws-sdk/client-iam';
import { type KMS, paginateListGrants } from '@aws-sdk/client-kms';
import { GetServiceQuotaCommand, type ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { awsCodeOf, isNotFound } from '../../../aws/errors.ts';
import { collectPages } from '../../../aws/pages.ts';
import type {
  GroupLimit,
  ImageFacts,
  InstanceTypeFacts,
  RunningInstances,
  VolumeKeyFacts,
} from '../plan/preflight/model.ts';
import { NAT_GATEWAYS_AT_LEAST, type Quota } from '../plan/preflight/quotas.ts';
import { type Tags, toTagList } from '../tags.ts';
import { type Ec2ImageQuery, findImages } from './ec2-images.ts';

/** A creation that is only tried: EC2 reports whether the caller may make it. */
export type Trial =
  | { action: 'ec2:CreateVpc'; cidrBlock: string; tags: Tags }
  | { action: 'ec2:AllocateAddress'; tags: Tags }
  | { action: 'ec2:CreateSecurityGroup'; vpcId: string; tags: Tags };

type KeyFacts = Omit<VolumeKeyFacts, 'policy' | 'grants'>;

/** The resources and limits of an account in a region. AWS errors are passed on unchanged. */
export interface AccountFacts {
  /** Undefined if the quota is not known in the region. */
  quota(quota: Quota): Promise<number | undefined>;
  vpcs(): Promise<number>;
  addresses(): Promise<number>;
  networkLoadBalancers(): Promise<number>;
  classicLoadBalancers(): Promise<number>;
  /**
   * The number of NAT gateways in the zone that has the most; the total, as long as that is below the minimum quota of
   * any account.
   */
  natGateways(zones: readonly string[]): Promise<number>;
  running(): Promise<RunningInstances[]>;
  /** Auto Scaling groups. */
  groups(): Promise<GroupLimit>;
  /** The types among these that EC2 knows. */
  instanceTypes(types: readonly string[]): Promise<ReadonlyMap<string, InstanceTypeFacts>>;
  /** The zones in which types are available. */
  offers(types: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The newest matching image. */
  images(query: Ec2ImageQuery): Promise<ImageFacts[]>;
  hasInstanceProfile(name: string): Promise<boolean>;
  /** The ARN of a role; undefined if it does not exist. */
  role(name: string): Promise<string | undefined>;
  /** The default key for volumes that name none. */
  defaultVolumeKey(): Promise<string | undefined>;
  /** A key by its id, ARN or alias; undefined if it does not exist. */
  key(name: string): Promise<KeyFacts | undefined>;
  keyPolicy(arn: string): Promise<string>;
  /** The operations that grants allow a role. */
  keyGrants(arn: string, role: string): Promise<string[]>;
  /** Free addresses by subnet id, for the subnets that exist. */
  freeAddresses(subnetIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Rejects with the error that the call would get; creates nothing. */
  tryOut(trial: Trial): Promise<void>;
  /** Whether the account may use a region. The request is sent to the client's own region. */
  isEnabled(region: string): Promise<boolean>;
}

const orElse = async <T, E>(request: Promise<T>, is: (error: unknown) => boolean, value: E): Promise<T | E> => {
  try {
    return await request;
  } catch (error) {
    if (is(error)) return value;
    throw error;
  }
};

const hasCode = (code: string) => (error: unknown) => awsCodeOf(error) === code;

const running = async (client: EC2Client): Promise<RunningInstances[]> => {
  const Filters = [{ Name: 'instance-state-name', Values: ['pending', 'running'] }];
  const pages = paginateDescribeInstances({ client, pageSize: 1000 }, { Filters });
  const reservations = await collectPages(pages, (page) => page.Reservations);
  return reservations
    .flatMap(({ Instances = [] }) => Instances)
    .filter(({ Placement }) => Placement?.Tenancy !== 'host')
    .map(({ InstanceType = '', InstanceLifecycle, CpuOptions }) => ({
      instanceType: InstanceType,
      isSpot: InstanceLifecycle === 'spot',
      vcpus: (CpuOptions?.CoreCount ?? 0) * (CpuOptions?.ThreadsPerCore ?? 1),
    }));
};

// Filters are used because EC2 refuses a complete list of names if it does not know one of them.
const typeFilter = (types: readonly string[]) => [{ Name: 'instance-type', Values: [...types] }];

const instanceTypes = async (client: EC2Client, types: readonly string[]) => {
  const pages = paginateDescribeInstanceTypes({ client }, { Filters: typeFilter(types) });
  const found = await collectPages(pages, (page) => page.InstanceTypes);
  return new Map(
    found.map(({ InstanceType = '', VCpuInfo, ProcessorInfo }): [string, InstanceTypeFacts] => [
      InstanceType,
      { vcpus: VCpuInfo?.DefaultVCpus ?? 0, architectures: ProcessorInfo?.SupportedArchitectures ?? [] },
    ]),
  );
};

const offers = async (client: EC2Client, types: readonly string[]) => {
  const input = { LocationType: 'availability-zone' as const, Filters: typeFilter(types) };
  const pages = paginateDescribeInstanceTypeOfferings({ client }, input);
  const places = new Map<string, string[]>();
  for (const { InstanceType, Location = '' } of await collectPages(pages, (page) => page.InstanceTypeOfferings)) {
    const type = (InstanceType ?? '') as _InstanceType;
    places.set(type, [...(places.get(type) ?? []), Location]);
  }
  return places;
};

const images = async (client: EC2Client, query: Ec2ImageQuery): Promise<ImageFacts[]> => {
  const isAbsent = (error: unknown) => isNotFound(error) || awsCodeOf(error) === 'InvalidAMIID.Malformed';
  const found = await orElse(findImages(client, query), isAbsent, []);
  return found.map((image) => ({
    id: image.ImageId ?? '',
    state: image.State ?? '',
    architecture: image.Architecture ?? '',
    rootDeviceType: image.RootDeviceType ?? '',
    createdAt: image.CreationDate ?? '',
    ...(image.DeprecationTime ? { deprecatedAt: image.DeprecationTime } : {}),
  }));
};

const freeAddresses = async (client: EC2Client, ids: readonly string[]) => {
  const pages = paginateDescribeSubnets({ client }, { Filters: [{ Name: 'subnet-id', Values: [...ids] }] });
  const found = await collectPages(pages, (page) => page.Subnets);
  return new Map(
    found.map(({ SubnetId = '', AvailableIpAddressCount = 0 }): [string, number] => [
      SubnetId,
      AvailableIpAddressCount,
    ]),
  );
};

const tryOut = async (client: EC2Client, trial: Trial): Promise<void> => {
  const tagged = <T>(ResourceType: T) => ({ TagSpecifications: [{ ResourceType, Tags: toTagList(trial.tags) }] });
  const send = (): Promise<unknown> => {
    if (trial.action === 'ec2:CreateVpc')
      return client.send(new CreateVpcCommand({ CidrBlock: trial.cidrBlock, ...tagged('vpc' as const), DryRun: true }));
    if (trial.action === 'ec2:AllocateAddress')
      return client.send(new AllocateAddressCommand({ Domain: 'vpc', ...tagged('elastic-ip' as const), DryRun: true }));
    const group = { GroupName: 'windlass-preflight', Description: 'only tried', VpcId: trial.vpcId };
    return client.send(
      new CreateSecurityGroupCommand({ ...group, ...tagged('security-group' as const), DryRun: true }),
    );
  };
  await orElse(send(), hasCode('DryRunOperation'), undefined);
};

const networkLoadBalancers = async (client: ElasticLoadBalancingV2Client): Promise<number> => {
  const found = await collectPages(paginateDescribeLoadBalancers({ client }, {}), (page) => page.LoadBalancers);
  return found.filter(({ Type }) => Type === 'network').length;
};

/** Counts the gateways that use the quota. EC2 returns their subnets, not their zones. */
const natGateways = async (client: EC2Client, zones: readonly string[]): Promise<number> => {
  const Filter = [{ Name: 'state', Values: ['pending', 'available', 'deleting'] }];
  const found = await collectPages(paginateDescribeNatGateways({ client }, { Filter }), (page) => page.NatGateways);
  if (found.length < NAT_GATEWAYS_AT_LEAST) return found.length;
  const Filters = [{ Name: 'availability-zone', Values: [...zones] }];
  const subnets = await collectPages(paginateDescribeSubnets({ client }, { Filters }), (page) => page.Subnets);
  const zoneOf = new Map(subnets.map(({ SubnetId, AvailabilityZone }) => [SubnetId, AvailabilityZone]));
  const counts = zones.map((zone) => found.filter(({ SubnetId }) => zoneOf.get(SubnetId) === zone).length);
  return Math.max(0, ...counts);
};

const classicLoadBalancers = async (client: ElasticLoadBalancingClient): Promise<number> => {
  const pages = paginateDescribeClassic({ client, pageSize: 400 }, {});
  return (await collectPages(pages, (page) => page.LoadBalancerDescriptions)).length;
};

const isEnabled = async (client: EC2Client, region: string): Promise<boolean> => {
  const Filters = [{ Name: 'region-name', Values: [region] }];
  return ((await client.send(new DescribeRegionsCommand({ Filters }))).Regions ?? []).length > 0;
};

const keyOf = async (kms: KMS, name: string): Promise<KeyFacts | undefined> => {
  const found = await orElse(kms.describeKey({ KeyId: name }), isNotFound, undefined);
  const { Arn: arn = '', KeyManager, KeyState: state = '' } = found?.KeyMetadata ?? {};
  return found && { arn, isCustomers: KeyManager !== 'AWS', state };
};

const keyGrants = async (kms: KMS, KeyId: string, GranteePrincipal: string): Promise<string[]> => {
  const pages = paginateListGrants({ client: kms }, { KeyId, GranteePrincipal });
  return (await collectPages(pages, (page) => page.Grants)).flatMap(({ Operations = [] }) => Operations);
};

/** The clients of the port, for one account and region. */
export interface AccountClients {
  ec2: EC2Client;
  elbv2: ElasticLoadBalancingV2Client;
  elb: ElasticLoadBalancingClient;
  iam: IAMClient;
  kms: KMS;
  quotas: ServiceQuotasClient;
  autoScaling: AutoScalingClient;
}

/** The port, implemented with EC2, ELBv2, IAM, KMS, Service Quotas and Auto Scaling. */
export const createAccountFacts = ({
  ec2,
  elbv2,
  elb,
  iam,
  kms,
  quotas,
  autoScaling,
}: AccountClients): AccountFacts => ({
  quota: async ({ service, code }) => {
    const request = quotas.send(new GetServiceQuotaCommand({ ServiceCode: service, QuotaCode: code }));
    return (await orElse(request, hasCode('NoSuchResource'), undefined))?.Quota?.Value;
  },
  vpcs: async () => (await collectPages(paginateDescribeVpcs({ client: ec2 }, {}), (page) => page.Vpcs)).length,
  addresses: async () => (await ec2.send(new DescribeAddressesCommand({}))).Addresses?.length ?? 0,
  networkLoadBalancers: () => networkLoadBalancers(elbv2),
  classicLoadBalancers: () => classicLoadBalancers(elb),
  natGateways: (zones) => natGateways(ec2, zones),
  running: () => running(ec2),
  groups: async () => {
    const found = await autoScaling.send(new DescribeAccountLimitsCommand({}));
    return { limit: found.MaxNumberOfAutoScalingGroups ?? 0, used: found.NumberOfAutoScalingGroups ?? 0 };
  },
  instanceTypes: (types) => instanceTypes(ec2, types),
  offers: (types) => offers(ec2, types),
  images: (query) => images(ec2, query),
  hasInstanceProfile: async (InstanceProfileName) =>
    (await orElse(
      iam.send(new GetInstanceProfileCommand({ InstanceProfileName })),
      hasCode('NoSuchEntity'),
      undefined,
    )) !== undefined,
  role: async (RoleName) =>
    (await orElse(iam.send(new GetRoleCommand({ RoleName })), hasCode('NoSuchEntity'), undefined))?.Role?.Arn,
  defaultVolumeKey: async () => (await ec2.send(new GetEbsDefaultKmsKeyIdCommand({}))).KmsKeyId,
  key: (name) => keyOf(kms, name),
  keyPolicy: async (KeyId) => (await kms.getKeyPolicy({ KeyId, PolicyName: 'default' })).Policy ?? '',
  keyGrants: (arn, role) => keyGrants(kms, arn, role),
  freeAddresses: (ids) => freeAddresses(ec2, ids),
  tryOut: (trial) => tryOut(ec2, trial),
  isEnabled: (region) => isEnabled(ec2, region),
});
