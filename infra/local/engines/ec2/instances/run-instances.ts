import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault } from '../../wire/fault.ts';
import { randomHex } from '../../wire/place.ts';
import { KINDS } from '../kinds.ts';
import { withTemplate } from '../launch-templates/for-launch.ts';
import { addInterface, freeAddresses } from '../network/network-interfaces.ts';
import type { Instance } from '../records.ts';
import type { Ec2, Launch } from '../state.ts';
import { stateAt } from '../timeline.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type LaunchPlan, planLaunch } from './launch-plan.ts';
import { announceLife } from './life-events.ts';
import { addVolumes, ROOT_DEVICE } from './volumes.ts';

const instancesOf = (ec2: Ec2, launch: Launch): Instance[] =>
  launch.instanceIds.flatMap((id) => ec2.instances.find(id) ?? []);

/**
 * The earlier launch with the same client token. Source: the EC2 guide, "Ensuring idempotency": other parameters are
 * refused, and so is a token whose instances were terminated.
 */
const repeated = (ec2: Ec2, input: sdk.RunInstancesRequest): Instance[] | undefined => {
  const launch = ec2.launches.get(input.ClientToken ?? '');
  if (!launch) return undefined;
  if (launch.fingerprint !== fingerprintOf(input))
    throw new AwsFault(
      'IdempotentParameterMismatch',
      'Arguments on this idempotent request are inconsistent with arguments used in previous request(s).',
    );
  const instances = instancesOf(ec2, launch);
  if (instances.every(({ timeline }) => ['shutting-down', 'terminated'].includes(stateAt(timeline, ec2.now()))))
    throw new AwsFault(
      'IdempotentInstanceTerminated',
      'The client token was used for a launch whose instances have been terminated; use a new token.',
    );
  return instances;
};

const checkQuota = (ec2: Ec2, plan: LaunchPlan): void => {
  const { vcpus: limit } = ec2.settings.quotas;
  const counted = ec2.instances
    .all()
    .filter(({ timeline, isSpot }) => !isSpot && ['pending', 'running'].includes(stateAt(timeline, ec2.now())));
  const used = counted.reduce((sum, { vcpus }) => sum + vcpus, 0);
  if (!plan.isSpot && used + plan.count * plan.type.vcpus > limit)
    throw new AwsFault(
      'VcpuLimitExceeded',
      `You have requested more vCPU capacity than your current vCPU limit of ${limit} allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.`,
    );
};

const checkAddresses = (ec2: Ec2, { subnet, count }: LaunchPlan): void => {
  if (freeAddresses(ec2, subnet) < count)
    throw new AwsFault(
      'InsufficientFreeAddressesInSubnet',
      `There are not enough free addresses in subnet '${subnet.id}' to satisfy the requested number of instances.`,
    );
};

const profileOf = (ec2: Ec2, wanted: sdk.IamInstanceProfileSpecification | undefined): Instance['profile'] => {
  if (!wanted?.Arn && !wanted?.Name) return undefined;
  const arn = wanted.Arn ?? `arn:aws:iam::${ec2.place.accountId}:instance-profile/${wanted.Name}`;
  return { arn, id: `AIPA${randomHex(ec2.place.random, 16).toUpperCase()}` };
};

const hostNameOf = (wanted: sdk.PrivateDnsNameOptionsRequest = {}): sdk.PrivateDnsNameOptionsResponse => ({
  HostnameType: wanted.HostnameType ?? 'ip-name',
  EnableResourceNameDnsARecord: wanted.EnableResourceNameDnsARecord ?? false,
  EnableResourceNameDnsAAAARecord: wanted.EnableResourceNameDnsAAAARecord ?? false,
});

const metadataOf = (wanted: sdk.InstanceMetadataOptionsRequest = {}): sdk.InstanceMetadataOptionsResponse => ({
  State: 'applied',
  HttpTokens: wanted.HttpTokens ?? 'optional',
  HttpPutResponseHopLimit: wanted.HttpPutResponseHopLimit ?? 1,
  HttpEndpoint: wanted.HttpEndpoint ?? 'enabled',
  HttpProtocolIpv6: wanted.HttpProtocolIpv6 ?? 'disabled',
  InstanceMetadataTags: wanted.InstanceMetadataTags ?? 'disabled',
});

const withSystemTags = (plan: LaunchPlan, tags: Readonly<Record<string, string>>): LaunchPlan => ({
  ...plan,
  tags: { ...plan.tags, instance: new Map([...plan.tags.instance, ...Object.entries(tags)]) },
});

const launchOne = (
  ec2: Ec2,
  plan: LaunchPlan,
  input: sdk.RunInstancesRequest,
  reservationId: string,
  launchIndex: number,
): Instance => {
  const { subnet, type, image } = plan;
  const born = ec2.born(KINDS.instance, plan.tags.instance);
  const row = addInterface(ec2, {
    subnet,
    description: '',
    interfaceType: 'interface',
    groupIds: plan.groupIds,
    instanceId: born.id,
    publicIp: plan.publicIp ? ec2.newPublicIp() : undefined,
    privateIp: plan.privateIp,
    hasIpv6: plan.hasIpv6,
    hasPrimaryIpv6: plan.hasPrimaryIpv6,
    tags: plan.tags['network-interface'],
  });
  addVolumes(ec2, { id: born.id, zone: subnet.zone }, plan.volumes, plan.tags.volume);
  const at = born.createdAt;
  return ec2.instances.add({
    ...born,
    reservationId,
    launchIndex,
    imageId: image.id,
    architecture: image.architecture,
    instanceType: type.name,
    vcpus: type.vcpus,
    zone: subnet.zone,
    vpcId: subnet.vpcId,
    subnetId: subnet.id,
    interfaceId: row.id,
    keyName: input.KeyName,
    clientToken: input.ClientToken,
    profile: profileOf(ec2, input.IamInstanceProfile),
    metadataOptions: metadataOf(input.MetadataOptions),
    placement: { ...input.Placement, AvailabilityZone: subnet.zone, Tenancy: input.Placement?.Tenancy ?? 'default' },
    rootDevice: ROOT_DEVICE,
    isSpot: plan.isSpot,
    hostName: hostNameOf(input.PrivateDnsNameOptions),
    ebsOptimized: input.EbsOptimized ?? false,
    userData: input.UserData,
    terminationProtected: input.DisableApiTermination ?? false,
    sourceDestCheck: true,
    reason: undefined,
    maintenance: undefined,
    timeline: [
      { at, state: 'pending' },
      { at: at + ec2.settings.instanceStartMilliseconds, state: 'running' },
    ],
  });
};

/**
 * Launches instances, all or none; a repeated client token returns the instances of its first use. `systemTags` are
 * tags that only AWS itself can set on instances.
 */
export const runInstances = (
  ec2: Ec2,
  asked: sdk.RunInstancesRequest,
  systemTags: Readonly<Record<string, string>> = {},
): Instance[] => {
  const before = asked.ClientToken ? repeated(ec2, asked) : undefined;
  if (before) return before;
  const { input, tags } = withTemplate(ec2, asked);
  const plan = withSystemTags(planLaunch(ec2, input), { ...systemTags, ...tags });
  checkQuota(ec2, plan);
  checkAddresses(ec2, plan);
  const reservationId = ec2.newId('r');
  const made = Array.from({ length: plan.count }, (_, index) => launchOne(ec2, plan, input, reservationId, index));
  if (asked.ClientToken)
    ec2.launches.set(asked.ClientToken, {
      fingerprint: fingerprintOf(asked),
      reservationId,
      instanceIds: made.map(({ id }) => id),
    });
  for (const instance of made) announceLife(ec2, instance, instance.createdAt);
  return made;
};
