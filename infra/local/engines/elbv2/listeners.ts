import type * as sdk from '@aws-sdk/client-elastic-load-balancing-v2';
import { AwsFault, notSimulated, onlySimulated } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { randomHex } from '../wire/place.ts';
import { listenerTls } from './listener-tls.ts';
import { pageOf } from './pages.ts';
import type { Listener, LoadBalancer } from './records.ts';
import { type DataPath, type Elb, getListener, getLoadBalancer, getTargetGroup, loadBalancersOf } from './state.ts';
import { tagsOf } from './tags.ts';

/** Removes a listener and closes its sockets. */
export const removeListener = (elb: Elb, dataPath: DataPath, listener: Listener): void => {
  elb.listeners.delete(listener.arn);
  dataPath.listenerRemoved(listener);
};

const targetGroupOf = (actions: readonly sdk.Action[] | undefined): string => {
  const [action, ...others] = actions ?? [];
  const groups = action?.ForwardConfig?.TargetGroups?.map(({ TargetGroupArn }) => TargetGroupArn) ?? [];
  const arn = action?.TargetGroupArn ?? groups[0];
  if (action?.Type !== 'forward' || !arn)
    throw new AwsFault(
      'ValidationError',
      'A listener of a network load balancer needs one forward action with a target group',
    );
  if (others.length > 0 || groups.length > 1) throw notSimulated('a listener that forwards to several target groups');
  return arn;
};

const checkGroup = (
  elb: Elb,
  loadBalancer: LoadBalancer,
  targetGroupArn: string,
  protocol: sdk.ProtocolEnum = 'TCP',
): void => {
  const group = getTargetGroup(elb, targetGroupArn);
  if ((group.protocol === 'UDP') !== (protocol === 'UDP'))
    throw new AwsFault(
      'InvalidConfigurationRequest',
      `A listener for ${protocol} cannot forward to the target group '${group.arn}', which is for ${group.protocol}`,
    );
  if (group.vpcId !== loadBalancer.vpcId)
    throw new AwsFault(
      'InvalidConfigurationRequest',
      `The target group '${group.arn}' and the load balancer '${loadBalancer.arn}' are in different VPCs`,
    );
  if (group.ipAddressType === 'ipv6' && loadBalancer.ipAddressType !== 'dualstack')
    throw new AwsFault(
      'InvalidConfigurationRequest',
      `The target group '${group.arn}' of the address type ipv6 needs a load balancer of the type dualstack`,
    );
  if (loadBalancersOf(elb, group.arn).some((arn) => arn !== loadBalancer.arn))
    throw new AwsFault(
      'TargetGroupAssociationLimit',
      `The following target groups cannot be associated with more than one load balancer: ${group.arn}`,
    );
};

/** The listener on that port if it forwards to the same group: then the call succeeds again. */
const existing = (elb: Elb, loadBalancer: LoadBalancer, port: number, targetGroupArn: string): Listener | undefined => {
  const siblings = [...elb.listeners.values()].filter((one) => one.loadBalancerArn === loadBalancer.arn);
  const found = siblings.find((one) => one.port === port);
  if (found && found.targetGroupArn !== targetGroupArn)
    throw new AwsFault(
      'DuplicateListener',
      `A listener already exists on this port for this load balancer '${loadBalancer.arn}'`,
    );
  if (!found && siblings.length >= elb.settings.elbQuotas.listenersPerLoadBalancer)
    throw new AwsFault('TooManyListeners', 'The limit on the number of listeners per load balancer has been reached');
  return found;
};

const SETTINGS = ['Protocol', 'Port', 'SslPolicy', 'Certificates', 'DefaultActions'];

const create = (elb: Elb, dataPath: DataPath, input: sdk.CreateListenerInput): Listener => {
  const known = ['LoadBalancerArn', 'Tags', ...SETTINGS];
  onlySimulated('elasticloadbalancing:CreateListener', input, known);
  const { Protocol: protocol = 'TCP', Port: port = 0 } = input;
  const tls = listenerTls(protocol, input);
  if (port < 1 || port > 65_535) throw new AwsFault('ValidationError', `Port ${input.Port} is not valid`);
  const loadBalancer = getLoadBalancer(elb, input.LoadBalancerArn);
  const targetGroupArn = targetGroupOf(input.DefaultActions);
  checkGroup(elb, loadBalancer, targetGroupArn, protocol);
  const before = existing(elb, loadBalancer, port, targetGroupArn);
  if (before) return before;
  const listener: Listener = {
    arn: `${loadBalancer.arn.replace(':loadbalancer/', ':listener/')}/${randomHex(elb.place.random, 16)}`,
    createdAt: elb.now(),
    sequence: elb.nextSequence(),
    tags: tagsOf(input.Tags),
    loadBalancerArn: loadBalancer.arn,
    port,
    protocol,
    tls,
    targetGroupArn,
  };
  elb.listeners.set(listener.arn, listener);
  dataPath.listenerAdded(elb, listener);
  return listener;
};

const view = (listener: Listener): sdk.Listener => ({
  ListenerArn: listener.arn,
  LoadBalancerArn: listener.loadBalancerArn,
  Port: listener.port,
  Protocol: listener.protocol,
  SslPolicy: listener.tls?.policy,
  Certificates: listener.tls && [{ CertificateArn: listener.tls.certificateArn }],
  DefaultActions: [
    {
      Type: 'forward',
      TargetGroupArn: listener.targetGroupArn,
      ForwardConfig: { TargetGroups: [{ TargetGroupArn: listener.targetGroupArn }] },
    },
  ],
});

const asked = (elb: Elb, { ListenerArns, LoadBalancerArn }: sdk.DescribeListenersInput): Listener[] => {
  if (ListenerArns?.length) return ListenerArns.map((arn) => getListener(elb, arn));
  if (!LoadBalancerArn)
    throw new AwsFault('ValidationError', 'You must specify either listener ARNs or a load balancer ARN');
  const { arn } = getLoadBalancer(elb, LoadBalancerArn);
  return [...elb.listeners.values()].filter((listener) => listener.loadBalancerArn === arn);
};

/** Settings that are missing in the request stay as they are. */
const modify = (elb: Elb, dataPath: DataPath, input: sdk.ModifyListenerInput): Listener => {
  onlySimulated('elasticloadbalancing:ModifyListener', input, ['ListenerArn', ...SETTINGS]);
  const listener = getListener(elb, input.ListenerArn);
  const { Protocol: protocol = listener.protocol, Port: port = listener.port } = input;
  if (port !== listener.port) throw notSimulated('a listener that gets another port');
  const targetGroupArn = input.DefaultActions ? targetGroupOf(input.DefaultActions) : listener.targetGroupArn;
  const tls = listenerTls(protocol, input, listener.tls);
  checkGroup(elb, getLoadBalancer(elb, listener.loadBalancerArn), targetGroupArn, protocol);
  dataPath.listenerRemoved(listener);
  Object.assign(listener, { targetGroupArn, protocol, tls });
  dataPath.listenerAdded(elb, listener);
  return listener;
};

/** Listeners for TCP, UDP and TLS that forward to one target group; only those for TCP accept connections. */
export const listenerActions = (elb: Elb, dataPath: DataPath): Handlers<typeof sdk> => ({
  CreateListener: (input) => ({ Listeners: [view(create(elb, dataPath, input))] }),
  DescribeListeners: (input) => {
    const { rows, nextMarker } = pageOf(asked(elb, input), input);
    return { Listeners: rows.map(view), NextMarker: nextMarker };
  },
  ModifyListener: (input) => ({ Listeners: [view(modify(elb, dataPath, input))] }),
  DeleteListener: ({ ListenerArn }) => {
    removeListener(elb, dataPath, getListener(elb, ListenerArn));
    return {};
  },
});
