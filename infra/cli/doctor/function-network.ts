/** Whether functions in a VPC reach the services of AWS that they call: by a way out, or by an endpoint for each. */
import type { RouteTable, VpcEndpoint } from '@aws-sdk/client-ec2';
import type { Finding } from './check.ts';

/** EC2's data about the VPC of the functions. */
export interface FunctionNetwork {
  region: string;
  subnetIds: readonly string[];
  /** Of the VPC. */
  routeTables: readonly RouteTable[];
  endpoints: readonly VpcEndpoint[];
}

/** What the functions call that connect to clusters; docs/private-networks.md says for what, and a test compares both with their grants. */
export const CALLED_SERVICES = [
  'dynamodb',
  'kms',
  'states',
  'sts',
  'ec2',
  'elasticloadbalancing',
  'autoscaling',
  'secretsmanager',
] as const;

const tableOf = (subnetId: string, tables: readonly RouteTable[]): RouteTable | undefined =>
  tables.find(({ Associations = [] }) => Associations.some((one) => one.SubnetId === subnetId)) ??
  tables.find(({ Associations = [] }) => Associations.some(({ Main }) => Main));

type Way = 'out' | 'gateway' | 'none';

/** A function has no public address: an internet gateway is no way out for it. */
const wayOut = ({ Routes = [] }: RouteTable): Way => {
  const route = Routes.find(
    ({ DestinationCidrBlock, State }) => DestinationCidrBlock === '0.0.0.0/0' && State !== 'blackhole',
  );
  if (!route) return 'none';
  return route.GatewayId?.startsWith('igw-') ? 'gateway' : 'out';
};

const isUsable = ({ State }: VpcEndpoint): boolean => State?.toLowerCase() === 'available';

/** A gateway endpoint must be in the subnet's route table, an interface endpoint must have the service's name. */
const servesSubnet =
  (service: string, table: RouteTable, region: string) =>
  (endpoint: VpcEndpoint): boolean => {
    const { ServiceName, VpcEndpointType, RouteTableIds = [], PrivateDnsEnabled } = endpoint;
    if (!isUsable(endpoint) || ServiceName?.endsWith(`.${region}.${service}`) !== true) return false;
    return VpcEndpointType === 'Gateway'
      ? RouteTableIds.includes(table.RouteTableId ?? '')
      : PrivateDnsEnabled === true;
  };

const problemsOf = (subnetId: string, { routeTables, endpoints, region }: FunctionNetwork): string[] => {
  const table = tableOf(subnetId, routeTables);
  if (!table) return [`${subnetId} is not in the VPC of the functions`];
  const way = wayOut(table);
  if (way === 'out') return [];
  const missing = CALLED_SERVICES.filter((service) => !endpoints.some(servesSubnet(service, table, region)));
  if (missing.length === 0) return [];
  const why =
    way === 'gateway'
      ? 'leads to an internet gateway, which functions cannot use because they have no public address'
      : 'has no route to the internet';
  return [`${subnetId} ${why}, and has no endpoint for ${missing.join(', ')}`];
};

/** The errors in the network of the functions, and what to do. */
export const judgeFunctionNetwork = (network: FunctionNetwork): Omit<Finding, 'name'> => {
  const problems = network.subnetIds.flatMap((id) => problemsOf(id, network));
  if (problems.length === 0)
    return { status: 'ok', detail: `${network.subnetIds.join(', ')} reach the services that the functions call` };
  const detail = `${problems.join('; ')}: route 0.0.0.0/0 to a NAT gateway, or create the endpoints (docs/private-networks.md)`;
  return { status: 'failed', detail };
};
