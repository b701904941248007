import type * as sdk from '@aws-sdk/client-ec2';
import { formatCidr, parseCidr } from '../../../../../shared/cidr.ts';
import { AwsFault, onlySimulated } from '../../wire/fault.ts';
import type { Handlers } from '../../wire/handlers.ts';
import type { Route, RouteTable, RouteTarget } from '../records.ts';
import type { Ec2 } from '../state.ts';
import { stateAt } from '../timeline.ts';

type RouteRequest = Pick<
  sdk.CreateRouteRequest,
  | 'DestinationCidrBlock'
  | 'DestinationIpv6CidrBlock'
  | 'GatewayId'
  | 'NatGatewayId'
  | 'EgressOnlyInternetGatewayId'
  | 'CarrierGatewayId'
  | 'InstanceId'
  | 'NetworkInterfaceId'
>;

const KNOWN = [
  'RouteTableId',
  'DestinationCidrBlock',
  'DestinationIpv6CidrBlock',
  'GatewayId',
  'NatGatewayId',
  'EgressOnlyInternetGatewayId',
  'CarrierGatewayId',
  'InstanceId',
  'NetworkInterfaceId',
] as const;

export const isBlock6 = (destination: string): boolean => destination.includes(':');
export const isBlock4 = (destination: string): boolean => /^\d/.test(destination) && !isBlock6(destination);

const destinationOf = ({ DestinationCidrBlock: text = '', DestinationIpv6CidrBlock: text6 }: RouteRequest): string => {
  const block6 = text6 === undefined ? undefined : parseCidr(text6, 6);
  if (block6) return formatCidr(block6);
  if (text6 !== undefined)
    throw new AwsFault('InvalidParameterValue', `The destination CIDR block ${text6} is not a valid CIDR block.`);
  const cidr = parseCidr(text, 4);
  if (!cidr)
    throw new AwsFault('InvalidParameterValue', `The destination CIDR block ${text} is not a valid CIDR block.`);
  return formatCidr(cidr);
};

const gatewayTarget = (ec2: Ec2, table: RouteTable, id: string): RouteTarget => {
  if (!id.startsWith('igw-')) throw new AwsFault('InvalidGatewayID.NotFound', `The gateway ID '${id}' does not exist`);
  const gateway = ec2.internetGateways.get(id);
  if (gateway.vpcId !== table.vpcId)
    throw new AwsFault(
      'InvalidParameterValue',
      `route table ${table.id} and network gateway ${id} belong to different networks`,
    );
  return { kind: 'gateway', id };
};

const natTarget = (ec2: Ec2, id: string): RouteTarget => {
  const nat = ec2.natGateways.find(id);
  if (!nat || !['pending', 'available'].includes(stateAt(nat.timeline, ec2.now())))
    throw new AwsFault('InvalidNatGatewayID.NotFound', `The natGateway ID '${id}' does not exist`);
  return { kind: 'nat', id };
};

const egressTarget = (ec2: Ec2, table: RouteTable, input: RouteRequest, id: string): RouteTarget => {
  if (ec2.egressOnlyGateways.find(id)?.vpcId !== table.vpcId)
    throw new AwsFault('InvalidGatewayID.NotFound', `The gateway ID '${id}' does not exist`);
  if (input.DestinationIpv6CidrBlock === undefined)
    throw new AwsFault('InvalidParameterCombination', 'An egress-only internet gateway routes IPv6 only');
  return { kind: 'egress', id };
};

const carrierTarget = (ec2: Ec2, table: RouteTable, id: string): RouteTarget => {
  if (ec2.carrierGateways.get(id).vpcId !== table.vpcId)
    throw new AwsFault('InvalidCarrierGatewayID.NotFound', `The carrierGateway ID '${id}' does not exist`);
  return { kind: 'carrier', id };
};

const targetOf = (ec2: Ec2, table: RouteTable, input: RouteRequest): RouteTarget => {
  const { GatewayId, NatGatewayId, EgressOnlyInternetGatewayId, CarrierGatewayId, InstanceId } = input;
  const { NetworkInterfaceId } = input;
  const targets = [GatewayId, NatGatewayId, EgressOnlyInternetGatewayId, CarrierGatewayId, InstanceId];
  const given = [...targets, NetworkInterfaceId].filter((id) => id !== undefined);
  if (given.length !== 1)
    throw new AwsFault('InvalidParameterCombination', 'A route needs exactly one of its possible targets');
  if (GatewayId) return gatewayTarget(ec2, table, GatewayId);
  if (NatGatewayId) return natTarget(ec2, NatGatewayId);
  if (EgressOnlyInternetGatewayId) return egressTarget(ec2, table, input, EgressOnlyInternetGatewayId);
  if (CarrierGatewayId) return carrierTarget(ec2, table, CarrierGatewayId);
  if (InstanceId) return { kind: 'instance', id: ec2.instances.get(InstanceId).id };
  return { kind: 'interface', id: ec2.networkInterfaces.get(NetworkInterfaceId).id };
};

const isReachable = (ec2: Ec2, target: RouteTarget): boolean => {
  switch (target.kind) {
    case 'local':
      return true;
    case 'gateway':
      return ec2.internetGateways.find(target.id)?.vpcId !== undefined;
    case 'nat': {
      const nat = ec2.natGateways.find(target.id);
      return nat !== undefined && ['pending', 'available'].includes(stateAt(nat.timeline, ec2.now()));
    }
    case 'egress':
      return ec2.egressOnlyGateways.find(target.id) !== undefined;
    case 'carrier':
      return ec2.carrierGateways.find(target.id) !== undefined;
    case 'endpoint':
      return ec2.vpcEndpoints.find(target.id) !== undefined;
    case 'instance': {
      const instance = ec2.instances.find(target.id);
      return instance !== undefined && stateAt(instance.timeline, ec2.now()) === 'running';
    }
    case 'interface':
      return ec2.networkInterfaces.find(target.id) !== undefined;
  }
};

const gatewayIdOf = (target: RouteTarget): string | undefined => {
  if (target.kind === 'local') return 'local';
  return target.kind === 'gateway' || target.kind === 'endpoint' ? target.id : undefined;
};

/** A route to an instance leads to its first interface. */
const interfaceIdOf = (ec2: Ec2, target: RouteTarget): string | undefined => {
  if (target.kind === 'interface') return target.id;
  return target.kind === 'instance' ? ec2.instances.find(target.id)?.interfaceId : undefined;
};

/** A route in a response: a `blackhole` if its target no longer exists. */
export const routeView = (ec2: Ec2, { destination, target }: Route): sdk.Route => ({
  DestinationCidrBlock: isBlock4(destination) ? destination : undefined,
  DestinationIpv6CidrBlock: isBlock6(destination) ? destination : undefined,
  DestinationPrefixListId: destination.startsWith('pl-') ? destination : undefined,
  GatewayId: gatewayIdOf(target),
  EgressOnlyInternetGatewayId: target.kind === 'egress' ? target.id : undefined,
  CarrierGatewayId: target.kind === 'carrier' ? target.id : undefined,
  NatGatewayId: target.kind === 'nat' ? target.id : undefined,
  InstanceId: target.kind === 'instance' ? target.id : undefined,
  InstanceOwnerId: target.kind === 'instance' ? ec2.place.accountId : undefined,
  NetworkInterfaceId: interfaceIdOf(ec2, target),
  Origin: target.kind === 'local' ? 'CreateRouteTable' : 'CreateRoute',
  State: isReachable(ec2, target) ? 'active' : 'blackhole',
});

const checkQuota = (ec2: Ec2, table: RouteTable): void => {
  if (table.routes.length >= ec2.settings.quotas.routesPerTable)
    throw new AwsFault('RouteLimitExceeded', 'The maximum number of routes has been reached.');
};

/** Routes to gateways, instances and interfaces; routes to endpoints are created with the endpoints. */
export const routeActions = (ec2: Ec2): Handlers<typeof sdk> => ({
  CreateRoute: (input) => {
    onlySimulated('ec2:CreateRoute', input, KNOWN);
    const table = ec2.routeTables.get(input.RouteTableId);
    const destination = destinationOf(input);
    const target = targetOf(ec2, table, input);
    if (table.routes.some((route) => route.destination === destination))
      throw new AwsFault('RouteAlreadyExists', `The route identified by ${destination} already exists.`);
    checkQuota(ec2, table);
    table.routes.push({ destination, target });
    return { Return: true };
  },
  ReplaceRoute: (input) => {
    onlySimulated('ec2:ReplaceRoute', input, KNOWN);
    const table = ec2.routeTables.get(input.RouteTableId);
    const destination = destinationOf(input);
    const target = targetOf(ec2, table, input);
    const route = table.routes.find((one) => one.destination === destination);
    if (!route)
      throw new AwsFault(
        'InvalidParameterValue',
        `There is no route defined for '${destination}' in the route table. Use CreateRoute instead.`,
      );
    route.target = target;
    return {};
  },
  DeleteRoute: (input) => {
    onlySimulated('ec2:DeleteRoute', input, ['RouteTableId', 'DestinationCidrBlock', 'DestinationIpv6CidrBlock']);
    const table = ec2.routeTables.get(input.RouteTableId);
    const destination = destinationOf(input);
    const route = table.routes.find((one) => one.destination === destination);
    if (!route)
      throw new AwsFault(
        'InvalidRoute.NotFound',
        `no route with destination-cidr-block ${destination} in route table ${table.id}`,
      );
    if (route.target.kind === 'local')
      throw new AwsFault(
        'InvalidParameterValue',
        `cannot remove local route ${destination} in route table ${table.id}`,
      );
    table.routes = table.routes.filter((one) => one !== route);
    return {};
  },
});
