/** Policies of classic load balancers: stored and shown. The forwarder sends no proxy protocol and ends no TLS. */
import type * as sdk from '@aws-sdk/client-elastic-load-balancing';
import { AwsFault } from '../wire/fault.ts';
import type { Handlers } from '../wire/handlers.ts';
import { type ClassicElb, type ClassicLoadBalancer, type ClassicPolicies, find } from './state.ts';

/** The policy of a listener for SSL or HTTPS without an explicit one. */
const DEFAULT_SSL_POLICY = 'ELBSecurityPolicy-2016-08';
const SSL_TYPE = 'SSLNegotiationPolicyType';

/** Policy types with the places where they may be set and the attributes that they need. */
const TYPES: Readonly<Record<string, { place: 'listener' | 'backend'; attribute: string }>> = {
  [SSL_TYPE]: { place: 'listener', attribute: 'Reference-Security-Policy' },
  ProxyProtocolPolicyType: { place: 'backend', attribute: 'ProxyProtocol' },
};

/** The policies of a load balancer; empty if it has none. */
export const policiesOf = ({ policies }: ClassicElb, { arn }: ClassicLoadBalancer): ClassicPolicies => {
  const found = policies.get(arn) ?? { byName: new Map(), ofListeners: new Map(), ofBackends: new Map() };
  policies.set(arn, found);
  return found;
};

/** A listener that ends TLS always has a policy. */
export const giveDefaultPolicy = (elb: ClassicElb, loadBalancer: ClassicLoadBalancer, port: number): void => {
  const { byName, ofListeners } = policiesOf(elb, loadBalancer);
  const attributes = [{ AttributeName: 'Reference-Security-Policy', AttributeValue: DEFAULT_SSL_POLICY }];
  byName.set(DEFAULT_SSL_POLICY, { type: SSL_TYPE, attributes });
  ofListeners.set(port, [DEFAULT_SSL_POLICY]);
};

const create = (elb: ClassicElb, input: sdk.CreateLoadBalancerPolicyInput): void => {
  const { PolicyName: name = '', PolicyTypeName: type = '', PolicyAttributes: attributes = [] } = input;
  const { byName } = policiesOf(elb, find(elb, input.LoadBalancerName));
  const known = TYPES[type];
  if (!known) throw new AwsFault('PolicyTypeNotFound', `There is no policy type ${type}, or it is not simulated`);
  if (!/^[A-Za-z0-9-]+$/.test(name)) throw new AwsFault('ValidationError', `The policy name '${name}' is not valid`);
  if (!attributes.some(({ AttributeName, AttributeValue }) => AttributeName === known.attribute && AttributeValue))
    throw new AwsFault('InvalidConfigurationRequest', `A policy of type ${type} needs ${known.attribute}`);
  const before = byName.get(name);
  const isSame = before?.type === type && JSON.stringify(before.attributes) === JSON.stringify(attributes);
  if (before && !isSame)
    throw new AwsFault('DuplicatePolicyName', `There is already a policy with the name ${name} and other attributes`);
  byName.set(name, { type, attributes });
};

const checkPlace = ({ byName }: ClassicPolicies, names: readonly string[], place: 'listener' | 'backend'): void => {
  for (const name of names) {
    const policy = byName.get(name);
    if (!policy) throw new AwsFault('PolicyNotFound', `There is no policy with name ${name}`);
    if (TYPES[policy.type]?.place !== place)
      throw new AwsFault('InvalidConfigurationRequest', `Policy ${name} cannot be set on a ${place}`);
  }
};

export const policyActions = (elb: ClassicElb): Handlers<typeof sdk> => ({
  CreateLoadBalancerPolicy: (input) => {
    create(elb, input);
    return {};
  },
  DescribeLoadBalancerPolicies: ({ LoadBalancerName, PolicyNames = [] }) => {
    const { byName } = policiesOf(elb, find(elb, LoadBalancerName));
    const missing = PolicyNames.find((name) => !byName.has(name));
    if (missing !== undefined) throw new AwsFault('PolicyNotFound', `There is no policy with name ${missing}`);
    const wanted = [...byName].filter(([name]) => PolicyNames.length === 0 || PolicyNames.includes(name));
    return {
      PolicyDescriptions: wanted.map(([PolicyName, { type, attributes }]) => ({
        PolicyName,
        PolicyTypeName: type,
        PolicyAttributeDescriptions: [...attributes],
      })),
    };
  },
  SetLoadBalancerPoliciesOfListener: ({ LoadBalancerName, LoadBalancerPort = 0, PolicyNames = [] }) => {
    const found = find(elb, LoadBalancerName);
    const policies = policiesOf(elb, found);
    if (!found.listeners.has(LoadBalancerPort))
      throw new AwsFault('ListenerNotFound', `${found.name} has no listener for port ${LoadBalancerPort}`);
    checkPlace(policies, PolicyNames, 'listener');
    policies.ofListeners.set(LoadBalancerPort, [...PolicyNames]);
    return {};
  },
  SetLoadBalancerPoliciesForBackendServer: ({ LoadBalancerName, InstancePort = 0, PolicyNames = [] }) => {
    const found = find(elb, LoadBalancerName);
    const policies = policiesOf(elb, found);
    const isPort = [...found.listeners.values()].some((listener) => listener.InstancePort === InstancePort);
    if (!isPort && !policies.ofBackends.has(InstancePort))
      throw new AwsFault('InvalidConfigurationRequest', `${found.name} has no instance port ${InstancePort}`);
    checkPlace(policies, PolicyNames, 'backend');
    if (PolicyNames.length > 0) policies.ofBackends.set(InstancePort, [...PolicyNames]);
    else policies.ofBackends.delete(InstancePort);
    return {};
  },
});
