import type * as sdk from '@aws-sdk/client-elastic-load-balancing';
import { addInterface } from '../ec2/network-interfaces.ts';
import { pageOf } from '../elbv2/pages.ts';
import { addTags, tagsOf } from '../elbv2/tags.ts';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import type { ClassicElb, ClassicLoadBalancer } from './state.ts';

const NAMES_PER_CALL = 20;

const find = (elb: ClassicElb, name: string): ClassicLoadBalancer => {
  const found = elb.loadBalancers.get(name);
  if (!found) throw new AwsFault('LoadBalancerNotFound', `There is no ACTIVE Load Balancer named '${name}'`);
  return found;
};

const create = (elb: ClassicElb, input: sdk.CreateAccessPointInput): string => {
  const known = ['LoadBalancerName', 'Listeners', 'Subnets', 'SecurityGroups', 'Scheme', 'Tags'];
  onlySimulated('elasticloadbalancing:CreateLoadBalancer', input, known);
  const { LoadBalancerName: name = '', Scheme: scheme = 'internet-facing', SecurityGroups = [] } = input;
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/.test(name))
    throw new AwsFault('ValidationError', `The load balancer name '${name}' is not valid`);
  if (elb.loadBalancers.has(name))
    throw new AwsFault(
      'DuplicateLoadBalancerName',
      `The load balancer '${name}' already exists and has other settings`,
    );
  const subnets = (input.Subnets ?? []).map((id) => {
    const subnet = elb.ec2.subnets.find(id);
    if (!subnet) throw new AwsFault('SubnetNotFound', `The subnet '${id}' does not exist`);
    return subnet;
  });
  const [first] = subnets;
  if (!first) throw new AwsFault('ValidationError', 'Either AvailabilityZones or SubnetIds must be specified');
  const wrong = SecurityGroups.find((id) => elb.ec2.securityGroups.find(id)?.vpcId !== first.vpcId);
  if (wrong) throw new AwsFault('InvalidSecurityGroup', `The security group '${wrong}' is not in the VPC`);
  elb.loadBalancers.set(name, {
    name,
    sequence: elb.loadBalancers.size + 1,
    createdAt: elb.now(),
    scheme,
    vpcId: first.vpcId,
    dnsName: `${scheme === 'internal' ? 'internal-' : ''}${name}.elb.${elb.ec2.place.region}.example.com`,
    subnets: subnets.map((subnet) => ({
      subnetId: subnet.id,
      zone: subnet.zone,
      interfaceId: addInterface(elb.ec2, {
        subnet,
        description: `ELB ${name}`,
        interfaceType: 'interface',
        groupIds: SecurityGroups,
        publicIp: scheme === 'internet-facing' ? elb.ec2.newPublicIp() : undefined,
      }).id,
    })),
    securityGroupIds: [...SecurityGroups],
    listeners: input.Listeners ?? [],
    tags: tagsOf(input.Tags),
  });
  return find(elb, name).dnsName;
};

const remove = (elb: ClassicElb, { name, subnets }: ClassicLoadBalancer): void => {
  const released = elb.now() + elb.settings.loadBalancerReleaseMilliseconds;
  for (const { interfaceId } of subnets) {
    const row = elb.ec2.networkInterfaces.find(interfaceId);
    if (row) row.releasedAt = released;
  }
  elb.loadBalancers.delete(name);
};

const view = (one: ClassicLoadBalancer): sdk.LoadBalancerDescription => ({
  LoadBalancerName: one.name,
  DNSName: one.dnsName,
  Scheme: one.scheme,
  VPCId: one.vpcId,
  Subnets: one.subnets.map(({ subnetId }) => subnetId),
  AvailabilityZones: one.subnets.map(({ zone }) => zone),
  SecurityGroups: [...one.securityGroupIds],
  ListenerDescriptions: one.listeners.map((Listener) => ({ Listener, PolicyNames: [] })),
  Instances: [],
  CreatedTime: new Date(one.createdAt),
});

/** The part of the first generation that a deletion of clusters meets: nothing is forwarded. */
export const classicElbHandlers = (elb: ClassicElb): Handlers<typeof sdk> => ({
  CreateLoadBalancer: (input) => ({ DNSName: create(elb, input) }),
  DescribeLoadBalancers: ({ LoadBalancerNames = [], Marker, PageSize }) => {
    const asked = LoadBalancerNames.map((name) => find(elb, name));
    const { rows, nextMarker } = pageOf(asked.length > 0 ? asked : [...elb.loadBalancers.values()], {
      Marker,
      PageSize,
    });
    return { LoadBalancerDescriptions: rows.map(view), NextMarker: nextMarker };
  },
  AddTags: ({ LoadBalancerNames = [], Tags = [] }) => {
    for (const name of LoadBalancerNames) addTags(find(elb, name).tags, Tags);
    return {};
  },
  DescribeTags: ({ LoadBalancerNames = [] }) => {
    if (LoadBalancerNames.length > NAMES_PER_CALL)
      throw new AwsFault('ValidationError', `At most ${NAMES_PER_CALL} load balancer names can be specified`);
    return {
      TagDescriptions: LoadBalancerNames.map((name) => ({
        LoadBalancerName: name,
        Tags: [...find(elb, name).tags].map(([Key, Value]) => ({ Key, Value })),
      })),
    };
  },
  DeleteLoadBalancer: ({ LoadBalancerName = '' }) => {
    // Deleting a load balancer that does not exist succeeds, as on AWS.
    const found = elb.loadBalancers.get(LoadBalancerName);
    if (found) remove(elb, found);
    return {};
  },
});
