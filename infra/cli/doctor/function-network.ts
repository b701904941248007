/**
 * Whether functions in a VPC reach the AWS services that they call: through a way out, or through an endpoint for each.
 */
import type { RouteTable, VpcEndpoint } from '@aws-sdk/client-ec2';
import type { Finding } from './check.ts';

/** EC2's data about the VPC of the functions. */
export interface FunctionNetwork {
  region: string;
  subnetIds: readonly string[];
  /** The route tables of the VPC. */
  routeTables: readonly RouteTable[];
  endpoints: readonly VpcEndpoint[];
  /** Whether all functions are in the VPC (`allFunctionsInVpc`), and not only those that connect to clusters. */
  ofAll: boolean;
}

/**
 * The services that the functions call which connect to clusters; docs/private-networks.md gives the reasons, and a
 * test compares both with the grants.
 */
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

/** The services that the other functions call in addition; a test compares them with the grants. */
export const CALLED_BY_OTHERS = ['ssm', 'servicequotas'] as const;

/** Services that are called only for some clusters, or that AWSClusters can do without, and how. */
export const CALLED_SOMETIMES = {
  s3: 'which clusters with an s3Bucket need',
  iam: 'without which each AWSCluster needs windlass.dev/skip-preflight: instance-profiles',
} as const;

/** The one of these that the functions in the VPC call as well: the sweep deletes bootstrap data. */
const SOMETIMES_BY_ALL = 's3';

const tableOf = (subnetId: string, tables: readonly RouteTable[]): RouteTable | undefined =>
  tables.find(({ Associations = [] }) => Associations.some((one) => one.SubnetId === subnetId)) ??
  tables.find(({ Associations = [] }) => Associations.some(({ Main }) => Main));

type Way = 'out' | 'gateway' | 'none';

/** A function has no public address, so an internet gateway is no way out for it. */
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
    // IAM's endpoints have no region in their names.
    const name = service === 'iam' ? '.iam' : `.${region}.${service}`;
    if (!isUsable(endpoint) || ServiceName?.endsWith(name) !== true) return false;
    return VpcEndpointType === 'Gateway'
      ? RouteTableIds.includes(table.RouteTableId ?? '')
      : PrivateDnsEnabled === true;
  };

/** What a subnet is missing. */
interface Lack {
  /** Set if nothing works without it. */
  problem?: string;
  /** Set if some clusters do not work without it. */
  warning?: string;
}

const lackOf = (subnetId: string, { routeTables, endpoints, region, ofAll }: FunctionNetwork): Lack => {
  const table = tableOf(subnetId, routeTables);
  if (!table) return { problem: `${subnetId} is not in the VPC of the functions` };
  const way = wayOut(table);
  if (way === 'out') return {};
  const isMissing = (service: string) => !endpoints.some(servesSubnet(service, table, region));
  const missing = [...CALLED_SERVICES, ...(ofAll ? CALLED_BY_OTHERS : [])].filter(isMissing);
  const sometimes = Object.entries(CALLED_SOMETIMES).filter(
    ([service]) => (ofAll || service === SOMETIMES_BY_ALL) && isMissing(service),
  );
  const why =
    way === 'gateway'
      ? 'leads to an internet gateway, which functions cannot use because they have no public address'
      : 'has no route to the internet';
  const lacks = (what: string): string => `${subnetId} ${why}, and has no endpoint for ${what}`;
  return {
    ...(missing.length > 0 ? { problem: lacks(missing.join(', ')) } : {}),
    ...(sometimes.length > 0
      ? { warning: lacks(sometimes.map(([service, need]) => `${service}, ${need}`).join(', and for ')) }
      : {}),
  };
};

const REMEDY = 'route 0.0.0.0/0 to a NAT gateway, or create the endpoints (docs/private-networks.md)';

/** The errors in the network of the functions, and what to do about them. */
export const judgeFunctionNetwork = (network: FunctionNetwork): Omit<Finding, 'name'> => {
  const lacks = network.subnetIds.map((id) => lackOf(id, network));
  const problems = lacks.flatMap(({ problem }) => problem ?? []);
  const warnings = lacks.flatMap(({ warning }) => warning ?? []);
  const detail = `${[...problems, ...warnings].join('; ')}: ${REMEDY}`;
  if (problems.length > 0) return { status: 'failed', detail };
  if (warnings.length > 0) return { status: 'warning', detail };
  const who = network.ofAll ? 'all functions' : 'the functions';
  return { status: 'ok', detail: `${network.subnetIds.join(', ')} reach the services that ${who} call` };
};
