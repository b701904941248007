import type * as sdk from '@aws-sdk/client-elastic-load-balancing-v2';
import { bind, isHeld } from '../ec2/network/addresses.ts';
import { addInterface } from '../ec2/network/network-interfaces.ts';
import type { Address, Subnet } from '../ec2/records.ts';
import { AwsFault, notSimulated, onlySimulated } from '../wire/fault.ts';
import type { LoadBalancer } from './records.ts';
import type { Elb } from './state.ts';

const invalid = (message: string) => new AwsFault('InvalidConfigurationRequest', message);

type Asked = Pick<sdk.CreateLoadBalancerInput, 'Subnets' | 'SubnetMappings'>;

/** The subnets of a request: one for each zone, and all in one VPC. */
export const askedSubnets = (elb: Elb, operation: string, input: Asked): Subnet[] => {
  for (const mapping of input.SubnetMappings ?? [])
    onlySimulated(`${operation} SubnetMappings`, mapping, ['SubnetId', 'AllocationId']);
  const ids = [...(input.Subnets ?? []), ...(input.SubnetMappings ?? []).map(({ SubnetId = '' }) => SubnetId)];
  if (ids.length === 0) throw new AwsFault('ValidationError', 'At least one subnet must be specified');
  const subnets = ids.map((id) => {
    const subnet = elb.ec2.subnets.find(id);
    if (!subnet) throw new AwsFault('SubnetNotFound', `The subnet ID '${id}' does not exist`);
    return subnet;
  });
  if (new Set(subnets.map(({ zone }) => zone)).size < subnets.length)
    throw invalid('A load balancer cannot be attached to multiple subnets in the same Availability Zone');
  if (new Set(subnets.map(({ vpcId }) => vpcId)).size > 1) throw invalid('All subnets must belong to the same VPC');
  return subnets;
};

/** The addresses in a request, by subnet. Throws if one does not exist or is already in use. */
export const askedAddresses = (
  elb: Elb,
  { SubnetMappings = [] }: Asked,
  scheme: string,
): ReadonlyMap<string, Address> => {
  const named = SubnetMappings.flatMap(({ SubnetId = '', AllocationId }) =>
    AllocationId ? [[SubnetId, AllocationId] as const] : [],
  );
  if (named.length === 0) return new Map();
  if (scheme !== 'internet-facing') throw invalid('Only internet-facing load balancers have Elastic IP addresses');
  if (named.length < SubnetMappings.length) throw invalid('You must specify one Elastic IP address per subnet');
  return new Map(
    named.map(([subnetId, id]) => {
      const address = elb.ec2.addresses.find(id);
      if (!address) throw new AwsFault('AllocationIdNotFound', `The allocation ID '${id}' does not exist`);
      if (isHeld(elb.ec2, address)) throw new AwsFault('ResourceInUse', `The allocation ID '${id}' is in use`);
      return [subnetId, address];
    }),
  );
};

/** Creates an interface of the load balancer in each of the subnets. */
export const attach = (
  elb: Elb,
  { path, scheme, securityGroupIds }: { path: string; scheme: string; securityGroupIds: string[] },
  subnets: readonly Subnet[],
  addresses: ReadonlyMap<string, Address> = new Map(),
): LoadBalancer['subnets'] =>
  subnets.map((subnet) => {
    const address = addresses.get(subnet.id);
    const row = addInterface(elb.ec2, {
      subnet,
      description: `ELB ${path}`,
      interfaceType: 'network_load_balancer',
      groupIds: securityGroupIds,
      publicIp: scheme === 'internet-facing' && !address ? elb.ec2.newPublicIp() : undefined,
    });
    if (address) bind(elb.ec2, address, row, false);
    return { subnetId: subnet.id, zone: subnet.zone, interfaceId: row.id };
  });

/** As on AWS, the interfaces occupy their subnets and security groups for a while. */
export const detach = (elb: Elb, subnets: LoadBalancer['subnets']): void => {
  const released = elb.now() + elb.settings.loadBalancerReleaseMilliseconds;
  for (const { interfaceId } of subnets) {
    const row = elb.ec2.networkInterfaces.find(interfaceId);
    if (row) row.releasedAt = released;
  }
};

/**
 * The subnets of the request replace the previous ones. As on AWS, the subnet of a zone cannot be replaced in one call:
 * the zone must be removed first.
 */
export const setSubnets = (elb: Elb, loadBalancer: LoadBalancer, input: sdk.SetSubnetsInput): void => {
  const operation = 'elasticloadbalancing:SetSubnets';
  onlySimulated(operation, input, ['LoadBalancerArn', 'Subnets', 'SubnetMappings']);
  if (input.SubnetMappings?.some(({ AllocationId }) => AllocationId)) throw notSimulated(`${operation} with addresses`);
  const subnets = askedSubnets(elb, operation, input);
  if (subnets.some(({ vpcId }) => vpcId !== loadBalancer.vpcId))
    throw invalid(`The subnets must belong to the VPC '${loadBalancer.vpcId}' of the load balancer`);
  const kept = loadBalancer.subnets.filter(({ subnetId }) => subnets.some(({ id }) => id === subnetId));
  const added = subnets.filter(({ id }) => !kept.some(({ subnetId }) => subnetId === id));
  const taken = added.find(({ zone }) => loadBalancer.subnets.some((one) => one.zone === zone));
  if (taken) throw invalid(`The load balancer has another subnet than '${taken.id}' in '${taken.zone}' already`);
  detach(
    elb,
    loadBalancer.subnets.filter((one) => !kept.includes(one)),
  );
  const { scheme, securityGroupIds } = loadBalancer;
  const path = loadBalancer.arn.slice(loadBalancer.arn.indexOf('net/'));
  loadBalancer.subnets = [...kept, ...attach(elb, { path, scheme, securityGroupIds }, added)];
};
