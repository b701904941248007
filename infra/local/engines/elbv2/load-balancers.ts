import type * as sdk from '@aws-sdk/client-elastic-load-balancing-v2';
import { hasInternetGateway } from '../ec2/network/internet-gateways.ts';
import type { Subnet } from '../ec2/records.ts';
import { stateAt } from '../ec2/timeline.ts';
import { AwsFault, notSimulated, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { arnOf, randomHex } from '../wire/place.ts';
import { attributeList, loadBalancerAttributes, setAttributes } from './attributes.ts';
import { removeListener } from './listeners.ts';
import { pageOf } from './pages.ts';
import type { LoadBalancer } from './records.ts';
import { type DataPath, type Elb, getLoadBalancer } from './state.ts';
import { askedAddresses, askedSubnets, attach, detach, setSubnets } from './subnets.ts';
import { tagsOf } from './tags.ts';

const invalid = (message: string) => new AwsFault('InvalidConfigurationRequest', message);

const checkName = (name: string): void => {
  const problem = [
    [!/^[A-Za-z0-9-]+$/.test(name), 'can only contain characters that are alphanumeric characters and hyphens(-)'],
    [name.length > 32, 'cannot be longer than 32 characters'],
    [name.startsWith('-') || name.endsWith('-'), 'cannot begin or end with a hyphen'],
    [name.startsWith('internal-'), `cannot begin with 'internal-'`],
  ].find(([isWrong]) => isWrong);
  if (problem) throw new AwsFault('ValidationError', `The load balancer name '${name}' ${problem[1]}`);
};

const checkGroups = (elb: Elb, ids: readonly string[] | undefined, vpcId: string): string[] => {
  for (const id of ids ?? []) {
    const group = elb.ec2.securityGroups.find(id);
    if (!group || group.vpcId !== vpcId)
      throw new AwsFault('InvalidSecurityGroup', `One or more security groups are invalid: '${id}'`);
  }
  return [...(ids ?? [])];
};

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((item) => b.includes(item));

/** The load balancer with that name if it was created with the same settings: then the call succeeds again. */
const existing = (
  elb: Elb,
  input: sdk.CreateLoadBalancerInput,
  subnets: readonly Subnet[],
): LoadBalancer | undefined => {
  const found = [...elb.loadBalancers.values()].find(({ name }) => name === input.Name);
  if (!found) return undefined;
  const isSame =
    found.scheme === (input.Scheme ?? 'internet-facing') &&
    sameSet(
      found.subnets.map(({ subnetId }) => subnetId),
      subnets.map(({ id }) => id),
    ) &&
    sameSet(found.securityGroupIds, input.SecurityGroups ?? []);
  if (!isSame)
    throw new AwsFault(
      'DuplicateLoadBalancerName',
      `A load balancer with the same name '${input.Name}' exists, but with different settings`,
    );
  return found;
};

const checkPlace = (elb: Elb, scheme: string, vpcId: string): void => {
  if (scheme === 'internet-facing' && !hasInternetGateway(elb.ec2, vpcId))
    throw new AwsFault('InvalidSubnet', `VPC ${vpcId} has no internet gateway`);
  if (elb.loadBalancers.size >= elb.settings.elbQuotas.networkLoadBalancers)
    throw new AwsFault('TooManyLoadBalancers', 'The limit on the number of network load balancers has been reached');
};

const checkAddresses = (type: string = 'ipv4', subnets: readonly Subnet[]): LoadBalancer['ipAddressType'] => {
  if (type !== 'ipv4' && type !== 'dualstack') throw notSimulated(`the address type ${type}`);
  const lacking = subnets.find(({ cidr, ipv6 }) => cidr === undefined || (type === 'dualstack' && !ipv6));
  if (lacking) throw invalid(`The subnet '${lacking.id}' has no addresses of the type ${type}`);
  return type;
};

const KNOWN: readonly (keyof sdk.CreateLoadBalancerInput)[] = [
  'IpAddressType',
  'Name',
  'Scheme',
  'SecurityGroups',
  'SubnetMappings',
  'Subnets',
  'Tags',
  'Type',
];

const create = (elb: Elb, input: sdk.CreateLoadBalancerInput): LoadBalancer => {
  onlySimulated('elasticloadbalancing:CreateLoadBalancer', input, KNOWN);
  if (input.Type !== 'network') throw notSimulated(`a load balancer of type ${input.Type ?? 'application'}`);
  const { Name: name = '', Scheme: scheme = 'internet-facing' } = input;
  checkName(name);
  const subnets = askedSubnets(elb, 'elasticloadbalancing:CreateLoadBalancer', input);
  const ipAddressType = checkAddresses(input.IpAddressType, subnets);
  const tags = tagsOf(input.Tags);
  const before = existing(elb, input, subnets);
  if (before) return before;
  const vpcId = subnets[0]?.vpcId ?? '';
  const securityGroupIds = checkGroups(elb, input.SecurityGroups, vpcId);
  checkPlace(elb, scheme, vpcId);
  const path = `net/${name}/${randomHex(elb.place.random, 16)}`;
  const arn = arnOf(elb.place, 'elasticloadbalancing', `loadbalancer/${path}`);
  const at = elb.now();
  const addresses = askedAddresses(elb, input, scheme);
  const attached = attach(elb, { path, scheme, securityGroupIds }, subnets, addresses);
  const loadBalancer: LoadBalancer = {
    arn,
    createdAt: at,
    sequence: elb.nextSequence(),
    tags,
    name,
    scheme,
    vpcId,
    dnsName: elb.loopback.take(arn),
    subnets: attached,
    timeline: [
      { at, state: 'provisioning' },
      { at: at + elb.settings.loadBalancerMilliseconds, state: 'active' },
    ],
    attributes: loadBalancerAttributes(),
    securityGroupIds,
    ipAddressType,
    failure: undefined,
  };
  elb.loadBalancers.set(arn, loadBalancer);
  return loadBalancer;
};

const remove = (elb: Elb, dataPath: DataPath, loadBalancer: LoadBalancer): void => {
  if (loadBalancer.attributes.get('deletion_protection.enabled') === 'true')
    throw new AwsFault(
      'OperationNotPermitted',
      `Load balancer '${loadBalancer.arn}' cannot be deleted because deletion protection is enabled`,
    );
  for (const listener of elb.listeners.values())
    if (listener.loadBalancerArn === loadBalancer.arn) removeListener(elb, dataPath, listener);
  detach(elb, loadBalancer.subnets);
  elb.loopback.free(loadBalancer.dnsName);
  elb.loadBalancers.delete(loadBalancer.arn);
};

const stateView = (elb: Elb, { timeline, failure }: LoadBalancer): sdk.LoadBalancerState => {
  const Code = stateAt(timeline, elb.now());
  return failure !== undefined && Code === 'active' ? { Code: 'failed', Reason: failure } : { Code };
};

/** Elastic IP addresses by their interfaces. Addresses that Amazon assigns itself are not shown. */
const addressesBy = (elb: Elb): ((interfaceId: string) => sdk.LoadBalancerAddress[]) => {
  const all = Map.groupBy(elb.ec2.addresses.all(), ({ binding }) => binding?.interfaceId);
  return (interfaceId) =>
    all.get(interfaceId)?.map(({ id, publicIp }) => ({ AllocationId: id, IpAddress: publicIp })) ?? [];
};

const view = (elb: Elb, loadBalancer: LoadBalancer, addressesOf = addressesBy(elb)): sdk.LoadBalancer => ({
  LoadBalancerArn: loadBalancer.arn,
  LoadBalancerName: loadBalancer.name,
  DNSName: loadBalancer.dnsName,
  CanonicalHostedZoneId: 'Z26RNL4JYFTOTI',
  CreatedTime: new Date(loadBalancer.createdAt),
  Scheme: loadBalancer.scheme,
  VpcId: loadBalancer.vpcId,
  State: stateView(elb, loadBalancer),
  Type: 'network',
  IpAddressType: loadBalancer.ipAddressType,
  SecurityGroups: loadBalancer.securityGroupIds,
  AvailabilityZones: loadBalancer.subnets.map(({ zone, subnetId, interfaceId }) => ({
    ZoneName: zone,
    SubnetId: subnetId,
    LoadBalancerAddresses: addressesOf(interfaceId),
  })),
});

const asked = (elb: Elb, { LoadBalancerArns, Names }: sdk.DescribeLoadBalancersInput): LoadBalancer[] => {
  const all = [...elb.loadBalancers.values()];
  if (LoadBalancerArns?.length) return LoadBalancerArns.map((arn) => getLoadBalancer(elb, arn));
  if (!Names?.length) return all;
  const unknown = Names.filter((name) => !all.some((one) => one.name === name));
  if (unknown.length > 0)
    throw new AwsFault('LoadBalancerNotFound', `Load balancers '[${unknown.join(', ')}]' not found`);
  return all.filter(({ name }) => Names.includes(name));
};

const setGroups = (elb: Elb, loadBalancer: LoadBalancer, ids: readonly string[] | undefined): void => {
  // A network load balancer that was created without security groups can never get one.
  if (loadBalancer.securityGroupIds.length === 0 && ids?.length)
    throw invalid('Security groups cannot be added to a load balancer that was created without security groups');
  loadBalancer.securityGroupIds = checkGroups(elb, ids, loadBalancer.vpcId);
  for (const { interfaceId } of loadBalancer.subnets) {
    const row = elb.ec2.networkInterfaces.find(interfaceId);
    if (row) row.groupIds = [...loadBalancer.securityGroupIds];
  }
};

/** Network load balancers. */
export const loadBalancerActions = (elb: Elb, dataPath: DataPath): Handlers<typeof sdk> => ({
  CreateLoadBalancer: (input) => ({ LoadBalancers: [view(elb, create(elb, input))] }),
  DescribeLoadBalancers: (input) => {
    const { rows, nextMarker } = pageOf(asked(elb, input), input);
    const addressesOf = addressesBy(elb);
    return { LoadBalancers: rows.map((row) => view(elb, row, addressesOf)), NextMarker: nextMarker };
  },
  DeleteLoadBalancer: ({ LoadBalancerArn = '' }) => {
    // Deleting a load balancer that does not exist succeeds, as on AWS.
    const found = elb.loadBalancers.get(LoadBalancerArn);
    if (found) remove(elb, dataPath, found);
    return {};
  },
  DescribeLoadBalancerAttributes: ({ LoadBalancerArn }) => ({
    Attributes: attributeList(getLoadBalancer(elb, LoadBalancerArn).attributes),
  }),
  ModifyLoadBalancerAttributes: ({ LoadBalancerArn, Attributes }) => {
    const { attributes } = getLoadBalancer(elb, LoadBalancerArn);
    setAttributes(attributes, Attributes);
    return { Attributes: attributeList(attributes) };
  },
  SetSubnets: (input) => {
    const loadBalancer = getLoadBalancer(elb, input.LoadBalancerArn);
    checkAddresses(loadBalancer.ipAddressType, askedSubnets(elb, 'elasticloadbalancing:SetSubnets', input));
    setSubnets(elb, loadBalancer, input);
    return { AvailabilityZones: view(elb, loadBalancer).AvailabilityZones, IpAddressType: loadBalancer.ipAddressType };
  },
  SetIpAddressType: ({ LoadBalancerArn, IpAddressType }) => {
    const loadBalancer = getLoadBalancer(elb, LoadBalancerArn);
    const subnets = loadBalancer.subnets.flatMap(({ subnetId }) => elb.ec2.subnets.find(subnetId) ?? []);
    loadBalancer.ipAddressType = checkAddresses(IpAddressType, subnets);
    return { IpAddressType: loadBalancer.ipAddressType };
  },
  SetSecurityGroups: ({ LoadBalancerArn, SecurityGroups }) => {
    const loadBalancer = getLoadBalancer(elb, LoadBalancerArn);
    setGroups(elb, loadBalancer, SecurityGroups);
    return { SecurityGroupIds: loadBalancer.securityGroupIds };
  },
});
