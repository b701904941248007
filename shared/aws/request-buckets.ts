/**
 * The token buckets with which AWS limits the rate of calls, for each account and region. The figures are AWS's
 * defaults, and an account may have higher limits. Sources: EC2 developer guide, "Request throttling for the Amazon EC2
 * API"; Elastic Load Balancing user guide, "Request throttling for the Elastic Load Balancing API" (both read in
 * November 2026).
 */

export interface BucketSize {
  /** The most tokens that the bucket holds. */
  readonly capacity: number;
  readonly refillPerSecond: number;
}

/** A bucket that a call takes tokens from. */
export interface RequestBucket extends BucketSize {
  /** Such as `ec2 RunInstances`; the same for all calls that share the bucket. */
  readonly name: string;
  /** How many tokens the call takes. */
  readonly tokens: number;
}

/** The fields of an input on which the number of tokens depends. */
interface Sized {
  readonly MaxCount?: number;
  readonly InstanceIds?: readonly unknown[];
  readonly Filters?: readonly unknown[];
  readonly MaxResults?: number;
}

const size = (capacity: number, refillPerSecond: number): BucketSize => ({ capacity, refillPerSecond });

const READING = size(100, 20);
const READING_EVERYTHING = size(50, 10);
/** Also used for the actions that AWS calls resource-intensive. */
const CHANGING = size(50, 5);

/** Actions whose unfiltered, unpaginated form has a smaller bucket. */
const HEAVY_READS: readonly string[] = [
  'DescribeInstances',
  'DescribeInstanceStatus',
  'DescribeNetworkInterfaces',
  'DescribeSecurityGroups',
  'DescribeSnapshots',
  'DescribeSpotInstanceRequests',
  'DescribeVolumes',
];

const named = (bucket: BucketSize, ...operations: string[]): [string, BucketSize][] =>
  operations.map((operation) => [operation, bucket]);

/** Actions with their own bucket size that are called here, or that create or delete the same resources. */
const OWN_SIZES: ReadonlyMap<string, BucketSize> = new Map([
  ...named(size(5, 2), 'RunInstances', 'StartInstances'),
  ...named(size(10, 1), 'CreateNatGateway', 'DeleteNatGateway'),
  ...named(size(10, 1), 'AssociateNatGatewayAddress', 'DisassociateNatGatewayAddress'),
  ...named(size(4, 0.3), 'CreateVpcEndpoint', 'DeleteVpcEndpoints', 'ModifyVpcEndpoint'),
  ...named(size(100, 10), 'CreateTags', 'DeleteTags'),
  ...named(size(100, 5), 'TerminateInstances', 'ModifyInstanceMetadataOptions', 'AssociateIamInstanceProfile'),
  ...named(size(100, 5), 'CreateNetworkInterface', 'DeleteNetworkInterface', 'ModifyNetworkInterfaceAttribute'),
  ...named(size(100, 5), 'AssignIpv6Addresses', 'AssignPrivateIpAddresses', 'UnassignPrivateIpAddresses'),
  ...named(size(100, 5), 'CreateVolume', 'DeleteVolume', 'CreateSnapshot', 'DeleteSnapshot'),
  ...named(size(100, 5), 'CreateLaunchTemplateVersion', 'ModifyLaunchTemplate'),
  ...named(size(100, 5), 'DeregisterImage', 'ModifyImageAttribute'),
  ...named(size(100, 1), 'CopyImage'),
]);

/** Buckets of instances, in addition to those of calls. */
const RESOURCES: ReadonlyMap<string, BucketSize> = new Map([
  ...named(size(1000, 2), 'RunInstances', 'StartInstances'),
  ...named(size(1000, 20), 'StopInstances', 'TerminateInstances'),
]);

const isRead = (operation: string): boolean => /^(Describe|Get|Search|List)/.test(operation);

const isEverything = (input: Sized): boolean =>
  !input.Filters?.length && !input.InstanceIds?.length && input.MaxResults === undefined;

/** Each action of EC2 has its own bucket, and those that start or stop instances have a second one. */
const ofEc2 = (operation: string, input: Sized): RequestBucket[] => {
  const isHeavy = HEAVY_READS.includes(operation) && isEverything(input);
  const common = isRead(operation) ? READING : CHANGING;
  const own = isHeavy ? READING_EVERYTHING : (OWN_SIZES.get(operation) ?? common);
  const name = `ec2 ${operation}${isHeavy ? ' unfiltered' : ''}`;
  const requests: RequestBucket = { ...own, name, tokens: 1 };
  const resources = RESOURCES.get(operation);
  if (!resources) return [requests];
  const tokens = input.MaxCount ?? input.InstanceIds?.length ?? 1;
  return [requests, { ...resources, name: `ec2 ${operation} instances`, tokens }];
};

const BALANCING = {
  all: size(40, 10),
  'resource-intensive': size(10, 0.2),
  registration: size(20, 4),
  'non-mutating': size(40, 10),
  mutating: size(20, 3),
} as const;

const categoryOf = (operation: string): keyof typeof BALANCING => {
  if (operation === 'CreateLoadBalancer' || operation === 'SetSubnets') return 'resource-intensive';
  if (operation === 'RegisterTargets' || operation === 'DeregisterTargets') return 'registration';
  return isRead(operation) ? 'non-mutating' : 'mutating';
};

/** All actions of ELBv2 share a bucket, and those of a category share another one. */
const ofBalancing = (operation: string): RequestBucket[] =>
  (['all', categoryOf(operation)] as const).map((name) => ({
    ...BALANCING[name],
    name: `elasticloadbalancing ${name}`,
    tokens: 1,
  }));

/** The buckets from which a call takes tokens, by the signing name of its service. None if AWS publishes no figures. */
export const requestBucketsOf = (service: string, operation: string, input: object): readonly RequestBucket[] => {
  if (service === 'ec2') return ofEc2(operation, input);
  return service === 'elasticloadbalancing' ? ofBalancing(operation) : [];
};
