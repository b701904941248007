/** Connects a classic load balancer with its instances, through the data path of the second generation. */
import type * as sdk from '@aws-sdk/client-elastic-load-balancing';
import type { HealthCheck, Target, TargetGroup } from '../elbv2/records.ts';
import type { DataPath } from '../elbv2/state.ts';
import { AwsFault } from '../wire/fault.ts';
import { randomHex } from '../wire/place.ts';
import { checkListeners, isSecure } from './listeners.ts';
import { giveDefaultPolicy, policiesOf } from './policies.ts';
import type { ClassicElb, ClassicLoadBalancer } from './state.ts';

const TARGET = /^(TCP|SSL|HTTP|HTTPS):(\d+)(\/.*)?$/;

/** The same check in terms of the second generation. A successful TLS handshake counts as an accepted connection. */
const checkOf = ({ Target = '', ...times }: sdk.HealthCheck): HealthCheck => {
  const [, protocol = 'TCP', port = '', path] = TARGET.exec(Target) ?? [];
  const isHttp = protocol === 'HTTP' || protocol === 'HTTPS';
  return {
    protocol: isHttp ? protocol : 'TCP',
    port,
    path: isHttp ? path : undefined,
    intervalSeconds: times.Interval ?? 0,
    timeoutSeconds: times.Timeout ?? 0,
    healthyThreshold: times.HealthyThreshold ?? 0,
    unhealthyThreshold: times.UnhealthyThreshold ?? 0,
    matcher: isHttp ? '200' : undefined,
  };
};

const groupsOf = ({ path }: ClassicElb, { arn }: ClassicLoadBalancer): TargetGroup[] =>
  [...path.targetGroups.values()].filter(({ name }) => name === arn);

const newTarget = (elb: ClassicElb, instanceId: string, port: number): Target => ({
  instanceId,
  port,
  registeredAt: elb.now(),
  health: 'initial',
  streak: { passed: false, count: 0 },
  drainedAt: undefined,
});

/** Registers the load balancer with the data path; it is active immediately. */
export const openPath = ({ path, now }: ClassicElb, loadBalancer: ClassicLoadBalancer): void => {
  const { arn, name, vpcId, dnsName, sequence, createdAt } = loadBalancer;
  path.loadBalancers.set(arn, {
    ...{ arn, name, vpcId, dnsName, sequence, createdAt, scheme: 'internal', subnets: [], securityGroupIds: [] },
    ipAddressType: 'ipv4',
    tags: new Map(),
    attributes: new Map(),
    timeline: [{ at: now(), state: 'active' }],
    failure: undefined,
  });
};

const isSame = (a: sdk.Listener, b: sdk.Listener): boolean =>
  a.Protocol === b.Protocol &&
  a.InstanceProtocol === b.InstanceProtocol &&
  a.InstancePort === b.InstancePort &&
  a.SSLCertificateId === b.SSLCertificateId;

/**
 * The protocol of a listener's data path: `TLS` if connections would have to be decrypted or encrypted, for which there
 * is no support.
 */
const pathProtocolOf = ({ Protocol, InstanceProtocol }: sdk.Listener): 'TCP' | 'TLS' =>
  isSecure(Protocol) || isSecure(InstanceProtocol) ? 'TLS' : 'TCP';

const addListener = (
  elb: ClassicElb,
  dataPath: DataPath,
  loadBalancer: ClassicLoadBalancer,
  listener: sdk.Listener,
): void => {
  const { LoadBalancerPort = 0, InstancePort = 0 } = listener;
  loadBalancer.listeners.set(LoadBalancerPort, listener);
  if (isSecure(listener.Protocol)) giveDefaultPolicy(elb, loadBalancer, LoadBalancerPort);
  const arn = `${loadBalancer.arn}/${LoadBalancerPort}/${randomHex(elb.ec2.place.random, 16)}`;
  const common = {
    ...{ arn, createdAt: elb.now(), sequence: elb.nextSequence(), tags: new Map() },
    protocol: pathProtocolOf(listener),
  };
  elb.path.targetGroups.set(arn, {
    ...{ ...common, name: loadBalancer.arn, port: InstancePort, vpcId: loadBalancer.vpcId, targetType: 'instance' },
    ipAddressType: 'ipv4',
    attributes: new Map(),
    targets: new Map([...loadBalancer.instances].map((id) => [id, newTarget(elb, id, InstancePort)])),
    healthCheck: checkOf(loadBalancer.healthCheck),
  });
  const forward = {
    ...{ ...common, tls: undefined, loadBalancerArn: loadBalancer.arn, port: LoadBalancerPort, targetGroupArn: arn },
  };
  elb.path.listeners.set(arn, forward);
  dataPath.listenerAdded(elb.path, forward);
};

/** Adds listeners, all or none. As on AWS, adding the same listener again succeeds. */
export const addListeners = (
  elb: ClassicElb,
  dataPath: DataPath,
  loadBalancer: ClassicLoadBalancer,
  wanted: readonly sdk.Listener[],
): void => {
  const all = checkListeners(wanted);
  for (const listener of all) {
    const known = loadBalancer.listeners.get(listener.LoadBalancerPort ?? 0);
    if (known && !isSame(known, listener))
      throw new AwsFault(
        'DuplicateListener',
        `A listener already exists for ${loadBalancer.name} with LoadBalancerPort ${listener.LoadBalancerPort}, but with a different InstancePort, protocol or certificate`,
      );
  }
  for (const listener of all)
    if (!loadBalancer.listeners.has(listener.LoadBalancerPort ?? 0)) addListener(elb, dataPath, loadBalancer, listener);
};

/** A port without a listener is no error. */
export const removeListeners = (
  elb: ClassicElb,
  dataPath: DataPath,
  loadBalancer: ClassicLoadBalancer,
  ports: readonly number[],
): void => {
  for (const listener of [...elb.path.listeners.values()])
    if (listener.loadBalancerArn === loadBalancer.arn && ports.includes(listener.port)) {
      dataPath.listenerRemoved(listener);
      elb.path.listeners.delete(listener.arn);
      elb.path.targetGroups.delete(listener.targetGroupArn);
    }
  const { ofListeners } = policiesOf(elb, loadBalancer);
  for (const port of ports) {
    loadBalancer.listeners.delete(port);
    ofListeners.delete(port);
  }
};

export const closePath = (elb: ClassicElb, dataPath: DataPath, loadBalancer: ClassicLoadBalancer): void => {
  removeListeners(elb, dataPath, loadBalancer, [...loadBalancer.listeners.keys()]);
  elb.path.loadBalancers.delete(loadBalancer.arn);
};

export const addInstances = (elb: ClassicElb, loadBalancer: ClassicLoadBalancer, ids: readonly string[]): void => {
  for (const id of ids.filter((one) => !loadBalancer.instances.has(one))) {
    loadBalancer.instances.add(id);
    for (const group of groupsOf(elb, loadBalancer)) group.targets.set(id, newTarget(elb, id, group.port));
  }
};

export const removeInstances = (elb: ClassicElb, loadBalancer: ClassicLoadBalancer, ids: readonly string[]): void => {
  for (const id of ids) {
    loadBalancer.instances.delete(id);
    for (const group of groupsOf(elb, loadBalancer)) group.targets.delete(id);
  }
};

const RANGES: readonly [keyof sdk.HealthCheck, number, number][] = [
  ['Interval', 5, 300],
  ['Timeout', 2, 60],
  ['HealthyThreshold', 2, 10],
  ['UnhealthyThreshold', 2, 10],
];

/** Sets a health check within the ranges of the guide of classic load balancers. */
export const setHealthCheck = (elb: ClassicElb, loadBalancer: ClassicLoadBalancer, check: sdk.HealthCheck): void => {
  const [, protocol = '', , path] = TARGET.exec(check.Target ?? '') ?? [];
  if (protocol === '' || protocol.startsWith('HTTP') !== (path !== undefined))
    throw new AwsFault('ValidationError', `HealthCheck Target '${check.Target}' is not valid`);
  for (const [name, least, most] of RANGES)
    if (Number(check[name]) < least || Number(check[name]) > most)
      throw new AwsFault('ValidationError', `HealthCheck ${name} must be between ${least} and ${most}`);
  if ((check.Timeout ?? 0) >= (check.Interval ?? 0))
    throw new AwsFault('ValidationError', 'HealthCheck timeout must be less than interval');
  loadBalancer.healthCheck = { ...check };
  for (const group of groupsOf(elb, loadBalancer)) group.healthCheck = checkOf(check);
};
