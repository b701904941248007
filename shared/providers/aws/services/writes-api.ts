import {
  CreateListenerCommand,
  CreateLoadBalancerCommand,
  CreateTargetGroupCommand,
  DeleteListenerCommand,
  DeleteLoadBalancerCommand,
  DeleteTargetGroupCommand,
  DeregisterTargetsCommand,
  type ElasticLoadBalancingV2Client,
  ModifyListenerCommand,
  ModifyLoadBalancerAttributesCommand,
  ModifyTargetGroupAttributesCommand,
  ModifyTargetGroupCommand,
  type ProtocolEnum,
  RegisterTargetsCommand,
} from '@aws-sdk/client-elastic-load-balancing-v2';
import { toTagList } from '../tags.ts';
import type { ServiceHealthCheck } from './health-check.ts';
import type { DesiredListener, ServiceAction, Target } from './model.ts';

export interface ServiceWrites {
  /**
   * Makes the call of an action. All of them may be repeated: names are unique in a region, and it is not an error if
   * something is deleted already.
   */
  performService(action: ServiceAction): Promise<void>;
}

/** AWS accepts this many per call (upstream's number). */
const TARGETS_AT_ONCE = 100;

const checkFields = (check: ServiceHealthCheck) => ({
  HealthCheckPort: check.port,
  ...(check.path === undefined ? {} : { HealthCheckPath: check.path }),
  HealthyThresholdCount: check.healthyThreshold,
  UnhealthyThresholdCount: check.unhealthyThreshold,
});

const listenerFields = ({ port, protocol, certificateArn, sslPolicy }: DesiredListener, TargetGroupArn: string) => ({
  Port: port,
  Protocol: protocol as ProtocolEnum,
  DefaultActions: [{ Type: 'forward' as const, TargetGroupArn }],
  ...(certificateArn ? { Certificates: [{ CertificateArn: certificateArn }] } : {}),
  ...(sslPolicy ? { SslPolicy: sslPolicy } : {}),
});

const inChunks = async (
  targets: readonly Target[],
  send: (chunk: { Id: string; Port: number }[]) => Promise<unknown>,
) => {
  for (let index = 0; index < targets.length; index += TARGETS_AT_ONCE) {
    const chunk = targets.slice(index, index + TARGETS_AT_ONCE);
    await send(chunk.map(({ instanceId: Id, port: Port }) => ({ Id, Port })));
  }
};

type Performers = {
  readonly [T in ServiceAction['type']]: (
    client: ElasticLoadBalancingV2Client,
    action: Extract<ServiceAction, { type: T }>,
  ) => Promise<unknown>;
};

const PERFORM: Performers = {
  CreateBalancer: (client, { name, isInternal, subnets, tags }) =>
    client.send(
      new CreateLoadBalancerCommand({
        Type: 'network',
        Name: name,
        Scheme: isInternal ? 'internal' : 'internet-facing',
        SubnetMappings: subnets.map(({ subnetId: SubnetId, privateAddress }) => ({
          SubnetId,
          ...(privateAddress ? { PrivateIPv4Address: privateAddress } : {}),
        })),
        Tags: toTagList(tags),
      }),
    ),
  SetBalancerAttributes: (client, { arn, attributes }) =>
    client.send(new ModifyLoadBalancerAttributesCommand({ LoadBalancerArn: arn, Attributes: toTagList(attributes) })),
  DeleteBalancer: (client, { arn }) => client.send(new DeleteLoadBalancerCommand({ LoadBalancerArn: arn })),
  CreateGroup: (client, { group: { name, port, protocol, check }, vpcId, tags }) =>
    client.send(
      new CreateTargetGroupCommand({
        Name: name,
        VpcId: vpcId,
        Port: port,
        Protocol: protocol as ProtocolEnum,
        TargetType: 'instance',
        HealthCheckProtocol: check.protocol,
        HealthCheckIntervalSeconds: check.intervalSeconds,
        ...checkFields(check),
        Tags: toTagList(tags),
      }),
    ),
  SetGroupCheck: (client, { arn, check }) =>
    client.send(new ModifyTargetGroupCommand({ TargetGroupArn: arn, ...checkFields(check) })),
  SetGroupAttributes: (client, { arn, attributes }) =>
    client.send(new ModifyTargetGroupAttributesCommand({ TargetGroupArn: arn, Attributes: toTagList(attributes) })),
  DeregisterTargets: (client, { arn, targets }) =>
    inChunks(targets, (Targets) => client.send(new DeregisterTargetsCommand({ TargetGroupArn: arn, Targets }))),
  RegisterTargets: (client, { arn, targets }) =>
    inChunks(targets, (Targets) => client.send(new RegisterTargetsCommand({ TargetGroupArn: arn, Targets }))),
  DeleteGroup: (client, { arn }) => client.send(new DeleteTargetGroupCommand({ TargetGroupArn: arn })),
  CreateListener: (client, { balancerArn, listener, groupArn, tags }) =>
    client.send(
      new CreateListenerCommand({
        LoadBalancerArn: balancerArn,
        ...listenerFields(listener, groupArn),
        Tags: toTagList(tags),
      }),
    ),
  ModifyListener: (client, { arn, listener, groupArn }) =>
    client.send(new ModifyListenerCommand({ ListenerArn: arn, ...listenerFields(listener, groupArn) })),
  DeleteListener: (client, { arn }) => client.send(new DeleteListenerCommand({ ListenerArn: arn })),
};

/** The write part of the port, implemented with ELBv2. Errors are the SDK's. */
export const serviceWrites = (client: ElasticLoadBalancingV2Client): ServiceWrites => ({
  performService: async (action) => {
    // The table contains the function for each type, which TypeScript cannot infer through the lookup.
    const perform = PERFORM[action.type] as (client: ElasticLoadBalancingV2Client, action: ServiceAction) => unknown;
    await perform(client, action);
  },
});
