import type * as sdk from '@aws-sdk/client-ec2';
import { AwsFault, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { formatCidr, parseCidr } from './cidr.ts';
import type { Route, RouteTable, RouteTarget } from './records.ts';
import type { Ec2 } from './state.ts';
import { stateAt } from './timeline.ts';

type RouteRequest = Pick<
  sdk.CreateRouteRequest,
  'DestinationCidrBlock' | 'GatewayId' | 'NatGatewayId' | 'InstanceId' | 'NetworkInterfaceId'
>;

const KNOWN = [
  'RouteTableId',
  'DestinationCidrBlock',
  'GatewayId',
  'NatGatewayId',
  'InstanceId',
  'NetworkInterfaceId',
] as const;

const destinationOf = ({ DestinationCidrBlock: text = '' }: RouteRequest): string => {
  const cidr = parseCidr(text);
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

const targetOf = (ec2: Ec2, table: RouteTable, input: RouteRequest): RouteTarget => {
  const { GatewayId, NatGatewayId, InstanceId, NetworkInterfaceId } = input;
  const given = [GatewayId, NatGatewayId, InstanceId, NetworkInterfaceId].filter((id) => id !== undefined);
  if (given.length !== 1)
    throw new AwsFault('InvalidParameterCombination', 'A route needs exactly one of its possible targets');
  if (GatewayId) return gatewayTarget(ec2, table, GatewayId);
  if (NatGatewayId) return natTarget(ec2, NatGatewayId);
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
    case 'instance': {
      const instance = ec2.instances.find(target.id);
      return instance !== undefined && stateAt(instance.timeline, ec2.now()) === 'running';
    }
    case 'interface':
      return ec2.networkInterfaces.find(target.id) !== undefined;
  }
};

/** A route as a response carries it: `blackhole` where its target is gone. */
export const routeView = (ec2: Ec2, { destination, target }: Route, isOriginal: boolean): sdk.Route => ({
  DestinationCidrBlock: destination,
  GatewayId: target.kind === 'local' ? 'local' : target.kind === 'gateway' ? target.id : undefined,
  NatGatewayId: target.kind === 'nat' ? target.id : undefined,
  InstanceId: target.kind === 'instance' ? target.id : undefined,
  NetworkInterfaceId: target.kind === 'interface' ? target.id : undefined,
  Origin: isOriginal ? 'CreateRouteTable' : 'CreateRoute',
  State: isReachable(ec2, target) ? 'active' : 'blackhole',
});

const checkQuota = (ec2: Ec2, table: RouteTable): void => {
  if (table.routes.length >= ec2.settings.quotas.routesPerTable)
    throw new AwsFault('RouteLimitExceeded', 'The maximum number of routes has been reached.');
};

/** Routes to internet gateways, NAT gateways, instances and interfaces, IPv4 destinations only. */
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
    onlySimulated('ec2:DeleteRoute', input, ['RouteTableId', 'DestinationCidrBlock']);
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
