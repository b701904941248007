/** Requests that change resources which do not belong to a cluster. */
import type { Account } from '../../../../infra/local/account.ts';
import { findSecret } from '../../../../infra/local/engines/secrets-manager/state.ts';
import { isOwned } from './judge.ts';

type Tags = ReadonlyMap<string, string>;

interface Call {
  service: string;
  operation: string;
  functionName: string | undefined;
}

const LOOKS = /^(Describe|Get|List|Decrypt|Generate|Assume)/;
/** Operations that create something in a network, which may be the user's. */
const CREATES = /^(Create(?!Tags)|RunInstances|UpdateAutoScalingGroup|SetSubnets|AttachLoadBalancerToSubnets)/;
const PLACES = ['VpcId', 'SubnetId', 'Subnets', 'VPCZoneIdentifier'];
/** Parameters that name what the changed resource refers to. */
const USED = ['SecurityGroups', 'SecurityGroupIds', 'Groups', 'GatewayId', 'NatGatewayId', 'ImageId'];
/** The tags with which the cloud provider and its controllers find subnets, and the record of those that were set. */
const SHARED_TAG = /^(kubernetes\.io\/(cluster|role)|windlass\.dev\/tagged-for)\//;

const TABLES = [
  ...(['vpcs', 'subnets', 'internetGateways', 'natGateways', 'routeTables', 'securityGroups'] as const),
  ...(['addresses', 'networkInterfaces', 'volumes', 'launchTemplates', 'instances'] as const),
];

const tagsInEc2 = (account: Account, id: string): Tags | undefined => {
  const ec2 = account.ec2();
  const group = ec2.securityGroupRules.find(id)?.groupId;
  const table = ec2.routeTables.all().find(({ associations }) => associations.some((one) => one.id === id));
  const owner = group ?? table?.id ?? id;
  for (const name of TABLES) {
    const found = ec2[name].find(owner);
    if (found !== undefined) return found.tags;
  }
  return undefined;
};

const tagsOfBalancing = (account: Account, id: string): Tags | undefined => {
  const elb = account.elbv2();
  const balancer = elb.listeners.get(id)?.loadBalancerArn ?? id;
  return (elb.loadBalancers.get(balancer) ?? elb.targetGroups.get(id) ?? account.elb().loadBalancers.get(id))?.tags;
};

const tagsOfGroup = (account: Account, name: string): Tags | undefined => {
  const tags = account.autoscaling().groups.get(name)?.tags;
  return tags && new Map([...tags].map(([key, { value }]) => [key, value]));
};

const tagsOfSecret = (account: Account, id: string): Tags | undefined => findSecret(account.secrets(), id)?.tags;

/** How the resources of a service are found by id, ARN or name. */
const FINDERS: Readonly<Record<string, (account: Account, id: string) => Tags | undefined>> = {
  ec2: tagsInEc2,
  elasticloadbalancing: tagsOfBalancing,
  autoscaling: tagsOfGroup,
  secretsmanager: tagsOfSecret,
};

const namesIn = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : []));

const keysOfTags = (input: Readonly<Record<string, unknown>>): string[] =>
  [input.Tags].flat().flatMap((tag) => (tag as { Key?: string } | undefined)?.Key ?? []);

/** Whether only these tags of a subnet are changed. */
const isShared = (operation: string, name: string, input: Readonly<Record<string, unknown>>): boolean =>
  /^(Create|Delete)Tags$/.test(operation) &&
  name.startsWith('subnet-') &&
  keysOfTags(input).every((key) => SHARED_TAG.test(key));

/**
 * The existing resources without an owner that a function's request changes. Those that it only uses, for example the
 * user's subnet in which it launches an instance, do not count.
 */
export const foreignBreaches = (
  account: Account,
  { service, operation, functionName }: Call,
  input: Readonly<Record<string, unknown>>,
): string[] => {
  const find = FINDERS[service];
  if (find === undefined || functionName === undefined || LOOKS.test(operation) || input.DryRun === true) return [];
  const used = CREATES.test(operation) ? [...PLACES, ...USED] : USED;
  const changed = Object.entries(input).flatMap(([key, value]) => (used.includes(key) ? [] : namesIn(value)));
  return [...new Set(changed)].flatMap((name) => {
    const tags = find(account, name);
    if (tags === undefined || isOwned({ tags }) || isShared(operation, name, input)) return [];
    return [`${functionName} changes ${name} by ${operation}, although no cluster owns it`];
  });
};
