import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BALANCING_RIGHTS } from '../../../shared/providers/aws/load-balancer/drivers.ts';
import { NETWORK_RIGHTS } from '../../../shared/providers/aws/network/rights.ts';
import type { FunctionName } from '../../bundle/entries.ts';
import { addresses } from './addresses.ts';
import { keepingBastions } from './bastion.ts';
import { loadBalancer, serviceBalancers, target } from './load-balancers.ts';
import * as may from './permissions.ts';
import { endingDrainWaits, pool } from './pools.ts';
import { preflight } from './preflight.ts';
import { podRoutes } from './routes.ts';
import { spotMarket } from './spot.ts';
import { encryptingVolumes, startingWithVolumes } from './volume-keys.ts';
import { claimingVolumes, deletingVolumes } from './volumes.ts';

/** The resources to which the grants refer. */
export interface Resources {
  tableArn: string;
  sealKeyArn: string;
  convergeClusterArn: string;
  provisionMachineArn: string;
  removeMachineArn: string;
  convergePoolArn: string;
}

const networkReads = (): PolicyStatement[] => [
  may.reading('ec2', [...NETWORK_RIGHTS.reads, 'DescribeVolumes']),
  may.referringShared('ec2', ['DescribeVpcAttribute'], ['vpc']),
];

const networkCreates = (): PolicyStatement[] => [
  ...keepingBastions(),
  may.usingImages(),
  may.creating('ec2', NETWORK_RIGHTS.creates, NETWORK_RIGHTS.types),
  may.taggingOnCreate(NETWORK_RIGHTS.creates, NETWORK_RIGHTS.types),
  ...may.taggingRules(),
  ...NETWORK_RIGHTS.refers.map(({ actions, types }) => may.referring('ec2', actions, types)),
  may.referringShared('ec2', ['CreateSecurityGroup'], ['vpc']),
  may.usingAddressPools(),
  deletingVolumes(),
  may.emptyingDefaultGroups(),
  may.changing('ec2', ['CreateNatGateway'], ['elastic-ip']),
];

const network = (): PolicyStatement[] => [
  ...networkReads(),
  ...preflight(),
  ...networkCreates(),
  may.sharingSubnets(),
  may.changing('ec2', NETWORK_RIGHTS.changes, NETWORK_RIGHTS.types),
  // Resources of cloud controllers only have a tag whose key ends in the cluster's name, which no condition can match.
  may.referring('ec2', ['DeleteSecurityGroup'], ['security-group']),
];

/** Resources to which a launch refers; they may be the user's own. */
const LAUNCHED_INTO = ['network-interface', 'key-pair'];

/** Resources that another account may share. */
const SHARED_INTO = ['subnet', 'security-group', 'placement-group', 'capacity-reservation'];

/** Dedicated Hosts, each for a single machine. */
const host = (): PolicyStatement[] => [
  may.creating('ec2', ['AllocateHosts'], ['dedicated-host']),
  may.taggingOnCreate(['AllocateHosts'], ['dedicated-host']),
  may.changing('ec2', ['ReleaseHosts'], ['dedicated-host']),
];

const instance = (instanceProfiles: readonly string[]): PolicyStatement[] => [
  may.reading('ec2', [
    'DescribeInstances',
    'DescribeInstanceTypes',
    'DescribeImages',
    'DescribeSubnets',
    'DescribeSecurityGroups',
    'DescribeHosts',
    'DescribeTags',
  ]),
  ...addresses(),
  ...host(),
  // With several interfaces, the address is associated with the first one, and not with the instance.
  may.changing('ec2', ['AssociateAddress'], ['elastic-ip', 'instance', 'network-interface']),
  may.creating('ec2', ['RunInstances'], ['instance', 'volume']),
  may.taggingOnCreate(['RunInstances'], ['instance', 'volume', 'network-interface', 'spot-instances-request']),
  may.referring('ec2', ['RunInstances'], LAUNCHED_INTO),
  may.referringShared('ec2', ['RunInstances'], SHARED_INTO),
  ...encryptingVolumes(),
  may.usingImages(),
  may.readingImageParameters(),
  ...claimingVolumes(),
  may.changing('ec2', ['TerminateInstances'], ['instance']),
  endingDrainWaits(),
  may.passingInstanceRoles(instanceProfiles),
  ...spotMarket(),
  may.makingUserData(),
  ...may.deletingUserData(),
  may.makingParameters(),
  ...may.deletingParameters(),
  may.writingObjects(),
  may.keepingObjects(['GetObject', 'DeleteObject']),
];

const bucket = (): PolicyStatement[] => [
  may.keepingBuckets([
    'CreateBucket',
    'TagResource',
    'GetBucketTagging',
    'PutBucketTagging',
    'PutBucketPolicy',
    'DeleteBucket',
  ]),
];

/** The reads and repairs of a sweep. */
const comparison = (): PolicyStatement[] => [
  may.reading('autoscaling', ['DescribeAutoScalingGroups', 'DescribeLifecycleHooks']),
  may.reading('ec2', ['DescribeLaunchTemplates']),
  may.reading('ec2', [
    'DescribeInstances',
    'DescribeInstanceStatus',
    'DescribeImages',
    'DescribeTags',
    ...NETWORK_RIGHTS.swept,
  ]),
  may.referring('ec2', ['DescribeVpcAttribute'], ['vpc']),
  may.reading('elasticloadbalancing', BALANCING_RIGHTS.reads),
  may.changing('ec2', ['StartInstances', 'TerminateInstances', 'ModifyInstanceMetadataOptions'], ['instance']),
  startingWithVolumes(),
  may.changing('ec2', ['CreateTags', 'DeleteTags'], ['instance', 'volume']),
  may.changing('ec2', ['ModifyNetworkInterfaceAttribute'], ['network-interface']),
  may.referringShared('ec2', ['ModifyNetworkInterfaceAttribute'], ['security-group']),
  ...may.sweepingUserData(),
  may.keepingObjects(['DeleteObject']),
  may.reading('autoscaling', ['DescribeAutoScalingGroups']),
];

/**
 * The permissions of each function in the accounts of clusters; they are the same in the stack's own account and in
 * others.
 */
export const accountGrantsOf = ({
  instanceProfiles,
}: {
  instanceProfiles: readonly string[];
}): Readonly<Partial<Record<FunctionName, PolicyStatement[]>>> => ({
  'cluster-network': network(),
  'cluster-load-balancer': [...loadBalancer(), ...bucket()],
  'cluster-workload': [
    may.reading('ec2', ['DescribeInstances', 'DescribeInstanceTypes', 'DescribeImages']),
    ...serviceBalancers(),
    ...podRoutes(),
  ],
  'machine-objects': [...may.deletingUserData(), ...may.deletingParameters(), may.keepingObjects(['DeleteObject'])],
  'machine-instance': instance(instanceProfiles),
  'machine-target': target(),
  'pool-group': pool(instanceProfiles),
  drift: comparison(),
  events: [may.reading('ec2', ['DescribeInstances'])],
});

const listingExports = (settings: unknown): PolicyStatement[] =>
  settings === undefined ? [] : [may.reading('dynamodb', ['ListExports'])];

/**
 * The permissions of each function's role: only for calls that its bundle makes (a test compares the two).
 * `extensionFunctions` are the ARNs of the functions that may be extensions of topologies. `assumableRoles` are
 * patterns of the roles that clusters' identities may assume, and `instanceProfiles` the names of the profiles that
 * machines may have. With `export`, the table is exported regularly.
 */
export const grantsOf = (
  resources: Resources & {
    assumableRoles: readonly string[];
    instanceProfiles: readonly string[];
    extensionFunctions: readonly string[];
    export?: unknown;
  },
): Readonly<Record<FunctionName, PolicyStatement[]>> => {
  const lists = may.usingTable(resources.tableArn, ['read', 'write', 'list']);
  const table = may.usingTable(resources.tableArn, ['read', 'write', 'list', 'delete']);
  const seal = may.usingSealKey(resources.sealKeyArn);
  const touch = may.startingExecutions([resources.convergeClusterArn]);
  const { provisionMachineArn, removeMachineArn, convergePoolArn } = resources;
  const machines = may.startingExecutions([provisionMachineArn, removeMachineArn, convergePoolArn]);
  const open = may.openingSecrets(resources.sealKeyArn);
  const assume = may.assumingRoles(resources.assumableRoles);
  const account = accountGrantsOf(resources);
  /** Directly in the stack's account, and through a role in others. */
  const inAccounts = (name: FunctionName): PolicyStatement[] => [...assume, ...(account[name] ?? [])];
  const extensions = may.invokingExtensions(resources.extensionFunctions);
  return {
    authorizer: [],
    api: [table, seal, touch],
    watch: [may.usingTable(resources.tableArn, ['read', 'list', 'hold'])],
    changes: [may.usingTable(resources.tableArn, ['get', 'update']), touch],
    'cluster-objects': [table, seal, touch, machines, ...extensions],
    'cluster-network': [table, open, ...inAccounts('cluster-network')],
    'cluster-load-balancer': [lists, open, ...inAccounts('cluster-load-balancer')],
    'cluster-workload': [lists, seal, ...inAccounts('cluster-workload')],
    'machine-objects': [table, seal, touch, ...inAccounts('machine-objects')],
    'machine-instance': [lists, open, ...inAccounts('machine-instance')],
    'machine-target': [lists, open, ...inAccounts('machine-target')],
    'machine-node': [table, open, touch],
    'pool-objects': [table, seal, touch],
    'pool-group': [lists, open, ...inAccounts('pool-group')],
    hosts: [lists, open],
    drift: [table, open, touch, ...inAccounts('drift'), ...extensions, ...listingExports(resources.export)],
    events: [table, open, touch, ...inAccounts('events')],
    guard: [may.usingTable(resources.tableArn, ['query'])],
  };
};
