/** Classic load balancers themselves: their subnets and names. */
import type * as sdk from '@aws-sdk/client-elastic-load-balancing';
import { addInterface } from '../ec2/network/network-interfaces.ts';
import type { Subnet } from '../ec2/records.ts';
import type { DataPath } from '../elbv2/state.ts';
import { tagsOf } from '../elbv2/tags.ts';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import { arnOf, randomHex } from '../wire/place.ts';
import { addListeners, closePath, openPath } from './forwarding.ts';
import { checkListeners } from './listeners.ts';
import { policiesOf } from './policies.ts';
import { type ClassicElb, type ClassicLoadBalancer, find } from './state.ts';

/** Elastic Load Balancing's default. */
const IDLE_TIMEOUT_SECONDS = 60;

const subnetsOf = (elb: ClassicElb, ids: readonly string[] = []): Subnet[] => {
  const subnets = ids.map((id) => {
    const subnet = elb.ec2.subnets.find(id);
    if (!subnet) throw new AwsFault('SubnetNotFound', `The subnet '${id}' does not exist`);
    return subnet;
  });
  if (new Set(subnets.map(({ zone }) => zone)).size < subnets.length)
    throw new AwsFault('InvalidConfigurationRequest', 'ELB cannot be attached to multiple subnets in the same AZ.');
  return subnets;
};

const checkGroups = (elb: ClassicElb, ids: readonly string[] = [], vpcId: string): readonly string[] => {
  const wrong = ids.find((id) => elb.ec2.securityGroups.find(id)?.vpcId !== vpcId);
  if (wrong) throw new AwsFault('InvalidSecurityGroup', `The security group '${wrong}' is not in the VPC`);
  return [...ids];
};

const interfacesIn = (
  elb: ClassicElb,
  { name, scheme, securityGroupIds }: Pick<ClassicLoadBalancer, 'name' | 'scheme' | 'securityGroupIds'>,
  subnets: readonly Subnet[],
): ClassicLoadBalancer['subnets'] =>
  subnets.map((subnet) => ({
    subnetId: subnet.id,
    zone: subnet.zone,
    interfaceId: addInterface(elb.ec2, {
      subnet,
      description: `ELB ${name}`,
      interfaceType: 'interface',
      groupIds: [...securityGroupIds],
      publicIp: scheme === 'internet-facing' ? elb.ec2.newPublicIp() : undefined,
    }).id,
  }));

/** As on AWS, interfaces occupy their subnets and security groups for a while. */
const release = (elb: ClassicElb, subnets: ClassicLoadBalancer['subnets']): void => {
  const releasedAt = elb.now() + elb.settings.loadBalancerReleaseMilliseconds;
  for (const { interfaceId } of subnets) {
    const row = elb.ec2.networkInterfaces.find(interfaceId);
    if (row) row.releasedAt = releasedAt;
  }
};

const checkCreation = (elb: ClassicElb, input: sdk.CreateAccessPointInput): void => {
  const known = ['LoadBalancerName', 'Listeners', 'Subnets', 'SecurityGroups', 'Scheme', 'Tags'];
  onlySimulated('elasticloadbalancing:CreateLoadBalancer', input, known);
  const { LoadBalancerName: name = '' } = input;
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/.test(name))
    throw new AwsFault('ValidationError', `The load balancer name '${name}' is not valid`);
  if (elb.loadBalancers.has(name))
    throw new AwsFault(
      'DuplicateLoadBalancerName',
      `The load balancer '${name}' already exists and has other settings`,
    );
  if (elb.loadBalancers.size >= elb.settings.elbQuotas.classicLoadBalancers)
    throw new AwsFault('TooManyLoadBalancers', 'The quota for the number of load balancers has been reached');
  if (!input.Listeners?.length) throw new AwsFault('ValidationError', 'At least one listener must be specified');
  checkListeners(input.Listeners);
};

/** Creates a load balancer and returns its DNS name. */
export const create = (elb: ClassicElb, dataPath: DataPath, input: sdk.CreateAccessPointInput): string => {
  checkCreation(elb, input);
  const { LoadBalancerName: name = '', Scheme: scheme = 'internet-facing', Listeners = [] } = input;
  const subnets = subnetsOf(elb, input.Subnets);
  const [first] = subnets;
  if (!first) throw new AwsFault('ValidationError', 'Either AvailabilityZones or SubnetIds must be specified');
  const securityGroupIds = checkGroups(elb, input.SecurityGroups, first.vpcId);
  const arn = arnOf(elb.ec2.place, 'elasticloadbalancing', `loadbalancer/${name}`);
  const loadBalancer: ClassicLoadBalancer = {
    ...{ name, arn, scheme, vpcId: first.vpcId, securityGroupIds, createdAt: elb.now(), sequence: elb.nextSequence() },
    // As on AWS, the name contains a number: two load balancers with the same name, on two laptops, have different
    // addresses.
    dnsName: elb.loopback.take(`${arn} ${randomHex(elb.ec2.place.random, 16)}`),
    subnets: interfacesIn(elb, { name, scheme, securityGroupIds }, subnets),
    listeners: new Map(),
    instances: new Set(),
    healthCheck: {
      ...{ Target: `TCP:${Listeners[0]?.InstancePort}`, Interval: 30, Timeout: 5 },
      ...{ HealthyThreshold: 10, UnhealthyThreshold: 2 },
    },
    attributes: { crossZone: false, idleTimeout: IDLE_TIMEOUT_SECONDS },
    tags: tagsOf(input.Tags),
  };
  openPath(elb, loadBalancer);
  addListeners(elb, dataPath, loadBalancer, Listeners);
  elb.loadBalancers.set(name, loadBalancer);
  return loadBalancer.dnsName;
};

/** Deleting a load balancer that does not exist succeeds, as on AWS. */
export const remove = (elb: ClassicElb, dataPath: DataPath, name: string): void => {
  const found = elb.loadBalancers.get(name);
  if (!found) return;
  closePath(elb, dataPath, found);
  release(elb, found.subnets);
  elb.loopback.free(found.dnsName);
  elb.policies.delete(found.arn);
  elb.loadBalancers.delete(name);
};

/** The subnet of a zone that already has one replaces it. */
export const attachSubnets = (elb: ClassicElb, name: string | undefined, ids: readonly string[]): string[] => {
  const loadBalancer = find(elb, name);
  const subnets = subnetsOf(elb, ids);
  if (subnets.some(({ vpcId }) => vpcId !== loadBalancer.vpcId))
    throw new AwsFault('InvalidSubnet', `The subnets must belong to the VPC '${loadBalancer.vpcId}'`);
  const added = subnets.filter(({ id }) => !loadBalancer.subnets.some(({ subnetId }) => subnetId === id));
  const replaced = loadBalancer.subnets.filter(({ zone }) => added.some((subnet) => subnet.zone === zone));
  release(elb, replaced);
  const kept = loadBalancer.subnets.filter((one) => !replaced.includes(one));
  loadBalancer.subnets = [...kept, ...interfacesIn(elb, loadBalancer, added)];
  return loadBalancer.subnets.map(({ subnetId }) => subnetId);
};

/** A load balancer keeps at least one subnet. */
export const detachSubnets = (elb: ClassicElb, name: string | undefined, ids: readonly string[]): string[] => {
  const loadBalancer = find(elb, name);
  const kept = loadBalancer.subnets.filter(({ subnetId }) => !ids.includes(subnetId));
  if (kept.length === 0)
    throw new AwsFault('InvalidConfigurationRequest', 'A load balancer must have at least one subnet');
  release(
    elb,
    loadBalancer.subnets.filter((one) => !kept.includes(one)),
  );
  loadBalancer.subnets = kept;
  return kept.map(({ subnetId }) => subnetId);
};

export const applyGroups = (elb: ClassicElb, name: string | undefined, ids: readonly string[]): string[] => {
  const loadBalancer = find(elb, name);
  loadBalancer.securityGroupIds = checkGroups(elb, ids, loadBalancer.vpcId);
  for (const { interfaceId } of loadBalancer.subnets) {
    const row = elb.ec2.networkInterfaces.find(interfaceId);
    if (row) row.groupIds = [...loadBalancer.securityGroupIds];
  }
  return [...loadBalancer.securityGroupIds];
};

/** In the form of DescribeLoadBalancers. */
export const view = (elb: ClassicElb, one: ClassicLoadBalancer): sdk.LoadBalancerDescription => {
  const { byName, ofListeners, ofBackends } = policiesOf(elb, one);
  return {
    LoadBalancerName: one.name,
    DNSName: one.dnsName,
    Scheme: one.scheme,
    VPCId: one.vpcId,
    Subnets: one.subnets.map(({ subnetId }) => subnetId),
    AvailabilityZones: one.subnets.map(({ zone }) => zone),
    SecurityGroups: [...one.securityGroupIds],
    ListenerDescriptions: [...one.listeners].map(([port, Listener]) => ({
      Listener,
      PolicyNames: [...(ofListeners.get(port) ?? [])],
    })),
    BackendServerDescriptions: [...ofBackends].map(([InstancePort, names]) => ({
      InstancePort,
      PolicyNames: [...names],
    })),
    Policies: { AppCookieStickinessPolicies: [], LBCookieStickinessPolicies: [], OtherPolicies: [...byName.keys()] },
    Instances: [...one.instances].map((InstanceId) => ({ InstanceId })),
    HealthCheck: one.healthCheck,
    CreatedTime: new Date(one.createdAt),
  };
};
