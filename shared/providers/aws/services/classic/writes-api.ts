import {
  AddTagsCommand,
  ApplySecurityGroupsToLoadBalancerCommand,
  AttachLoadBalancerToSubnetsCommand,
  ConfigureHealthCheckCommand,
  CreateLoadBalancerCommand,
  CreateLoadBalancerListenersCommand,
  CreateLoadBalancerPolicyCommand,
  DeleteLoadBalancerCommand,
  DeleteLoadBalancerListenersCommand,
  DeregisterInstancesFromLoadBalancerCommand,
  DetachLoadBalancerFromSubnetsCommand,
  type ElasticLoadBalancingClient,
  ModifyLoadBalancerAttributesCommand,
  RegisterInstancesWithLoadBalancerCommand,
  SetLoadBalancerPoliciesForBackendServerCommand,
  SetLoadBalancerPoliciesOfListenerCommand,
} from '@aws-sdk/client-elastic-load-balancing';
import type { SecurityGroupWrites } from '../../network/security-groups/api.ts';
import { toTagList } from '../../tags.ts';
import type { ClassicAction, ClassicAttributes, ClassicListener, ClassicPolicy } from './model.ts';

export interface ClassicWrites {
  /**
   * Makes the call of an action. All of them may be repeated: names are unique in a region, and it is not an error if
   * something is deleted already.
   */
  performClassic(action: ClassicAction): Promise<void>;
}

const toListeners = (listeners: readonly ClassicListener[]) =>
  listeners.map(({ port, protocol, instancePort, instanceProtocol, certificateArn }) => ({
    LoadBalancerPort: port,
    Protocol: protocol,
    InstancePort: instancePort,
    InstanceProtocol: instanceProtocol,
    ...(certificateArn ? { SSLCertificateId: certificateArn } : {}),
  }));

const toAttributes = ({ isCrossZone, idleSeconds, drainingSeconds, accessLog }: ClassicAttributes) => ({
  CrossZoneLoadBalancing: { Enabled: isCrossZone },
  ConnectionSettings: { IdleTimeout: idleSeconds },
  ConnectionDraining: drainingSeconds === undefined ? { Enabled: false } : { Enabled: true, Timeout: drainingSeconds },
  AccessLog: accessLog
    ? {
        Enabled: true,
        S3BucketName: accessLog.bucket,
        S3BucketPrefix: accessLog.prefix,
        EmitInterval: accessLog.intervalMinutes,
      }
    : { Enabled: false },
});

const POLICY_TYPES = {
  proxy: { type: 'ProxyProtocolPolicyType', attribute: 'ProxyProtocol' },
  ssl: { type: 'SSLNegotiationPolicyType', attribute: 'Reference-Security-Policy' },
} as const satisfies Record<ClassicPolicy['kind'], object>;

const toInstances = (ids: readonly string[]) => ids.map((InstanceId) => ({ InstanceId }));

/** The calls of EC2 for a load balancer's own security group. */
type Groups = Pick<SecurityGroupWrites, 'createSecurityGroup' | 'authorizeIngress' | 'revokeIngress'>;

interface Clients {
  readonly elb: ElasticLoadBalancingClient;
  readonly groups: Groups;
}

type Performers<Types extends ClassicAction['type']> = {
  readonly [T in Types]: (clients: Clients, action: Extract<ClassicAction, { type: T }>) => Promise<unknown>;
};

const GROUPS: Performers<'CreateClassicGroup' | 'OpenClassicGroup' | 'CloseClassicGroup'> = {
  CreateClassicGroup: ({ groups }, { type: _, ...input }) => groups.createSecurityGroup(input),
  OpenClassicGroup: ({ groups }, { groupId, permissions, tags }) => groups.authorizeIngress(groupId, permissions, tags),
  CloseClassicGroup: ({ groups }, { groupId, permissions }) => groups.revokeIngress(groupId, permissions),
};

const LISTENERS: Performers<
  'DeleteClassicListeners' | 'CreateClassicListeners' | 'CreatePolicy' | 'SetListenerPolicies' | 'SetBackendPolicies'
> = {
  DeleteClassicListeners: ({ elb }, { name: LoadBalancerName, ports }) =>
    elb.send(new DeleteLoadBalancerListenersCommand({ LoadBalancerName, LoadBalancerPorts: [...ports] })),
  CreateClassicListeners: ({ elb }, { name: LoadBalancerName, listeners }) =>
    elb.send(new CreateLoadBalancerListenersCommand({ LoadBalancerName, Listeners: toListeners(listeners) })),
  CreatePolicy: ({ elb }, { name: LoadBalancerName, policy: { kind, name, value } }) => {
    const { type: PolicyTypeName, attribute: AttributeName } = POLICY_TYPES[kind];
    const PolicyAttributes = [{ AttributeName, AttributeValue: value }];
    const input = { LoadBalancerName, PolicyName: name, PolicyTypeName, PolicyAttributes };
    return elb.send(new CreateLoadBalancerPolicyCommand(input));
  },
  SetListenerPolicies: ({ elb }, { name: LoadBalancerName, port: LoadBalancerPort, policies }) => {
    const input = { LoadBalancerName, LoadBalancerPort, PolicyNames: [...policies] };
    return elb.send(new SetLoadBalancerPoliciesOfListenerCommand(input));
  },
  SetBackendPolicies: ({ elb }, { name: LoadBalancerName, instancePort: InstancePort, policies }) => {
    const input = { LoadBalancerName, InstancePort, PolicyNames: [...policies] };
    return elb.send(new SetLoadBalancerPoliciesForBackendServerCommand(input));
  },
};

const PERFORM: Performers<ClassicAction['type']> = {
  ...GROUPS,
  ...LISTENERS,
  CreateClassic: ({ elb }, { name, isInternal, subnetIds, groupIds, listeners, tags }) =>
    elb.send(
      new CreateLoadBalancerCommand({
        LoadBalancerName: name,
        ...(isInternal ? { Scheme: 'internal' } : {}),
        Subnets: [...subnetIds],
        SecurityGroups: [...groupIds],
        Listeners: toListeners(listeners),
        Tags: toTagList(tags),
      }),
    ),
  AttachSubnets: ({ elb }, { name: LoadBalancerName, subnetIds }) =>
    elb.send(new AttachLoadBalancerToSubnetsCommand({ LoadBalancerName, Subnets: [...subnetIds] })),
  DetachSubnets: ({ elb }, { name: LoadBalancerName, subnetIds }) =>
    elb.send(new DetachLoadBalancerFromSubnetsCommand({ LoadBalancerName, Subnets: [...subnetIds] })),
  SetClassicGroups: ({ elb }, { name: LoadBalancerName, groupIds }) =>
    elb.send(new ApplySecurityGroupsToLoadBalancerCommand({ LoadBalancerName, SecurityGroups: [...groupIds] })),
  AddClassicTags: ({ elb }, { name, tags }) =>
    elb.send(new AddTagsCommand({ LoadBalancerNames: [name], Tags: toTagList(tags) })),
  SetClassicAttributes: ({ elb }, { name: LoadBalancerName, attributes }) => {
    const input = { LoadBalancerName, LoadBalancerAttributes: toAttributes(attributes) };
    return elb.send(new ModifyLoadBalancerAttributesCommand(input));
  },
  SetClassicCheck: ({ elb }, { name: LoadBalancerName, check }) => {
    const HealthCheck = {
      Target: check.target,
      Interval: check.intervalSeconds,
      Timeout: check.timeoutSeconds,
      HealthyThreshold: check.healthyThreshold,
      UnhealthyThreshold: check.unhealthyThreshold,
    };
    return elb.send(new ConfigureHealthCheckCommand({ LoadBalancerName, HealthCheck }));
  },
  RegisterInstances: ({ elb }, { name: LoadBalancerName, instanceIds }) =>
    elb.send(new RegisterInstancesWithLoadBalancerCommand({ LoadBalancerName, Instances: toInstances(instanceIds) })),
  DeregisterInstances: ({ elb }, { name: LoadBalancerName, instanceIds }) =>
    elb.send(new DeregisterInstancesFromLoadBalancerCommand({ LoadBalancerName, Instances: toInstances(instanceIds) })),
  DeleteClassic: ({ elb }, { name }) => elb.send(new DeleteLoadBalancerCommand({ LoadBalancerName: name })),
};

/** The write part of the port, implemented with ELB, and with EC2 for security groups. Errors are the SDK's. */
export const classicWrites = (elb: ElasticLoadBalancingClient, groups: Groups): ClassicWrites => ({
  performClassic: async (action) => {
    // The table contains the function for each type, which TypeScript cannot infer through the lookup.
    const perform = PERFORM[action.type] as (clients: Clients, action: ClassicAction) => unknown;
    await perform({ elb, groups }, action);
  },
});
