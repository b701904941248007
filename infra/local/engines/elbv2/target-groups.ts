import type * as sdk from '@aws-sdk/client-elastic-load-balancing-v2';
import { AwsFault, notSimulated, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { arnOf, randomHex } from '../wire/place.ts';
import { attributeList, setAttributes, targetGroupAttributes } from './attributes.ts';
import { pageOf } from './pages.ts';
import type { HealthCheck, TargetGroup } from './records.ts';
import { type Elb, getLoadBalancer, getTargetGroup, loadBalancersBy, loadBalancersOf } from './state.ts';
import { tagsOf } from './tags.ts';

type HealthInput = Pick<
  sdk.CreateTargetGroupInput,
  | 'HealthCheckProtocol'
  | 'HealthCheckPort'
  | 'HealthCheckPath'
  | 'HealthCheckIntervalSeconds'
  | 'HealthCheckTimeoutSeconds'
  | 'HealthyThresholdCount'
  | 'UnhealthyThresholdCount'
  | 'Matcher'
>;

const HEALTH: readonly (keyof HealthInput | 'HealthCheckEnabled')[] = [
  'HealthCheckEnabled',
  'HealthCheckProtocol',
  'HealthCheckPort',
  'HealthCheckPath',
  'HealthCheckIntervalSeconds',
  'HealthCheckTimeoutSeconds',
  'HealthyThresholdCount',
  'UnhealthyThresholdCount',
  'Matcher',
];

const checkRange = (name: string, value: number, least: number, most: number): void => {
  if (value < least || value > most)
    throw new AwsFault('ValidationError', `${name} must be between ${least} and ${most}, not ${value}`);
};

/** Ranges and defaults of network load balancers. Source: the NLB guide, "Health checks for target groups". */
const healthCheckOf = (input: HealthInput, before?: HealthCheck): HealthCheck => {
  const protocol = input.HealthCheckProtocol ?? before?.protocol ?? 'TCP';
  if (!['TCP', 'HTTP', 'HTTPS'].includes(protocol))
    throw new AwsFault('ValidationError', `Health check protocol '${protocol}' must be one of TCP, HTTP and HTTPS`);
  const isHttp = protocol !== 'TCP';
  if (!isHttp && input.HealthCheckPath)
    throw new AwsFault('ValidationError', `Health check path cannot be specified for protocol 'TCP'`);
  const check: HealthCheck = {
    protocol,
    port: input.HealthCheckPort ?? before?.port ?? 'traffic-port',
    path: isHttp ? (input.HealthCheckPath ?? before?.path ?? '/') : undefined,
    intervalSeconds: input.HealthCheckIntervalSeconds ?? before?.intervalSeconds ?? 30,
    timeoutSeconds: input.HealthCheckTimeoutSeconds ?? before?.timeoutSeconds ?? (protocol === 'HTTP' ? 6 : 10),
    healthyThreshold: input.HealthyThresholdCount ?? before?.healthyThreshold ?? 5,
    unhealthyThreshold: input.UnhealthyThresholdCount ?? before?.unhealthyThreshold ?? 2,
    matcher: isHttp ? (input.Matcher?.HttpCode ?? before?.matcher ?? '200-399') : undefined,
  };
  checkRange('Health check interval', check.intervalSeconds, 5, 300);
  checkRange('Health check timeout', check.timeoutSeconds, 2, 120);
  // As ELBv2 validates it. For a network load balancer, both may be equal.
  if (check.timeoutSeconds > check.intervalSeconds)
    throw new AwsFault('ValidationError', 'Health check interval must be greater than the timeout.');
  checkRange('Healthy threshold count', check.healthyThreshold, 2, 10);
  checkRange('Unhealthy threshold count', check.unhealthyThreshold, 2, 10);
  return check;
};

type Settings = Pick<TargetGroup, 'name' | 'protocol' | 'port' | 'vpcId' | 'healthCheck'>;

const existing = (elb: Elb, wanted: Settings) => {
  const found = [...elb.targetGroups.values()].find(({ name }) => name === wanted.name);
  if (!found) return undefined;
  const settings = ({ protocol, port, vpcId, healthCheck }: Settings) =>
    JSON.stringify([protocol, port, vpcId, healthCheck]);
  if (settings(found) !== settings(wanted))
    throw new AwsFault(
      'DuplicateTargetGroupName',
      `A target group with the same name '${wanted.name}' exists, but with different settings`,
    );
  return found;
};

const checkKind = ({ Protocol, TargetType = 'instance', IpAddressType = 'ipv4' }: sdk.CreateTargetGroupInput): void => {
  if (Protocol !== 'TCP' && Protocol !== 'UDP' && Protocol !== 'TLS')
    throw notSimulated(`a target group for ${Protocol}`);
  if (TargetType !== 'instance') throw notSimulated(`a target group of type ${TargetType}`);
  if (IpAddressType !== 'ipv4' && IpAddressType !== 'ipv6')
    throw new AwsFault('ValidationError', `The address type '${IpAddressType}' must be ipv4 or ipv6`);
};

const create = (elb: Elb, input: sdk.CreateTargetGroupInput): TargetGroup => {
  const known = ['Name', 'Protocol', 'Port', 'VpcId', 'TargetType', 'IpAddressType', 'Tags', ...HEALTH];
  onlySimulated('elasticloadbalancing:CreateTargetGroup', input, known);
  checkKind(input);
  const { Name: name = '', Port: port = 0, VpcId: vpcId = '' } = input;
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/.test(name))
    throw new AwsFault(
      'ValidationError',
      `The target group name '${name}' must be 1 to 32 alphanumeric characters or hyphens`,
    );
  checkRange('Port', port, 1, 65_535);
  if (!elb.ec2.vpcs.find(vpcId)) throw new AwsFault('ValidationError', `The VPC ID '${vpcId}' is not found`);
  const healthCheck = healthCheckOf(input);
  const tags = tagsOf(input.Tags);
  const { Protocol: protocol = 'TCP' } = input;
  const before = existing(elb, { name, protocol, port, vpcId, healthCheck });
  if (before) return before;
  if (elb.targetGroups.size >= elb.settings.elbQuotas.targetGroups)
    throw new AwsFault('TooManyTargetGroups', 'The limit on the number of target groups has been reached');
  const id = randomHex(elb.place.random, 16);
  const group: TargetGroup = {
    arn: arnOf(elb.place, 'elasticloadbalancing', `targetgroup/${name}/${id}`),
    createdAt: elb.now(),
    sequence: elb.nextSequence(),
    tags,
    name,
    protocol,
    port,
    vpcId,
    targetType: 'instance',
    ipAddressType: input.IpAddressType ?? 'ipv4',
    attributes: targetGroupAttributes(),
    targets: new Map(),
    healthCheck,
  };
  elb.targetGroups.set(group.arn, group);
  return group;
};

const view = (elb: Elb, group: TargetGroup, balancersOf = loadBalancersBy(elb)): sdk.TargetGroup => {
  const { healthCheck } = group;
  return {
    TargetGroupArn: group.arn,
    TargetGroupName: group.name,
    Protocol: group.protocol,
    Port: group.port,
    VpcId: group.vpcId,
    TargetType: group.targetType,
    IpAddressType: group.ipAddressType,
    LoadBalancerArns: balancersOf(group.arn),
    HealthCheckEnabled: true,
    HealthCheckProtocol: healthCheck.protocol,
    HealthCheckPort: healthCheck.port,
    HealthCheckPath: healthCheck.path,
    HealthCheckIntervalSeconds: healthCheck.intervalSeconds,
    HealthCheckTimeoutSeconds: healthCheck.timeoutSeconds,
    HealthyThresholdCount: healthCheck.healthyThreshold,
    UnhealthyThresholdCount: healthCheck.unhealthyThreshold,
    Matcher: healthCheck.matcher ? { HttpCode: healthCheck.matcher } : undefined,
  };
};

const asked = (elb: Elb, input: sdk.DescribeTargetGroupsInput): TargetGroup[] => {
  const all = [...elb.targetGroups.values()];
  if (input.TargetGroupArns?.length) return input.TargetGroupArns.map((arn) => getTargetGroup(elb, arn));
  if (input.LoadBalancerArn) {
    const { arn } = getLoadBalancer(elb, input.LoadBalancerArn);
    const balancersOf = loadBalancersBy(elb);
    return all.filter((group) => balancersOf(group.arn).includes(arn));
  }
  const unknown = input.Names?.filter((name) => !all.some((group) => group.name === name)) ?? [];
  if (unknown.length > 0) throw new AwsFault('TargetGroupNotFound', 'One or more target groups not found');
  return all.filter(({ name }) => !input.Names?.length || input.Names.includes(name));
};

/** Target groups of instances, for TCP, UDP and TLS. */
export const targetGroupActions = (elb: Elb): Handlers<typeof sdk> => ({
  CreateTargetGroup: (input) => ({ TargetGroups: [view(elb, create(elb, input))] }),
  DescribeTargetGroups: (input) => {
    const { rows, nextMarker } = pageOf(asked(elb, input), input);
    const balancersOf = loadBalancersBy(elb);
    return { TargetGroups: rows.map((row) => view(elb, row, balancersOf)), NextMarker: nextMarker };
  },
  ModifyTargetGroup: (input) => {
    onlySimulated('elasticloadbalancing:ModifyTargetGroup', input, ['TargetGroupArn', ...HEALTH]);
    const group = getTargetGroup(elb, input.TargetGroupArn);
    group.healthCheck = healthCheckOf(input, group.healthCheck);
    return { TargetGroups: [view(elb, group)] };
  },
  DeleteTargetGroup: ({ TargetGroupArn = '' }) => {
    if (loadBalancersOf(elb, TargetGroupArn).length > 0)
      throw new AwsFault(
        'ResourceInUse',
        `Target group '${TargetGroupArn}' is currently in use by a listener or a rule`,
      );
    // Deleting a target group that does not exist succeeds, as on AWS.
    elb.targetGroups.delete(TargetGroupArn);
    return {};
  },
  DescribeTargetGroupAttributes: ({ TargetGroupArn }) => ({
    Attributes: attributeList(getTargetGroup(elb, TargetGroupArn).attributes),
  }),
  ModifyTargetGroupAttributes: ({ TargetGroupArn, Attributes }) => {
    const { attributes } = getTargetGroup(elb, TargetGroupArn);
    setAttributes(attributes, Attributes);
    return { Attributes: attributeList(attributes) };
  },
});
