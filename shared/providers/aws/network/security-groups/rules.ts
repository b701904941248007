import type { AWSClusterSpec } from '../../../../kinds/aws-cluster/schema.ts';
import type { IngressRule } from '../../../../kinds/schema/aws-network.ts';
import type { DesiredSecurityGroup } from './model.ts';
import type { SecurityGroupRole } from './roles.ts';

/**
 * The rules of access: the rule table of the AWS provider. There are three differences. An API load balancer with its
 * own ingress rules is not opened to everyone while there are no addresses of NAT gateways (if none are expected,
 * access.ts warns). The rules of the workers' load balancer group follow later changes. The VPC's secondary blocks are
 * treated like its first one.
 */

type Rule = DesiredSecurityGroup['ingress'][number];

export interface RuleInput {
  spec: AWSClusterSpec;
  /** The port of the API that clients use. */
  apiPort: number;
  vpcCidr: string;
  /** Public addresses of existing NAT gateways. */
  natIps: readonly string[];
}

/** kubeadm's port for the API server of a machine. */
export const API_SERVER_PORT = 6443;

export const ANYWHERE = '0.0.0.0/0';
const ANYWHERE6 = '::/0';

const hasIpv6 = ({ network }: AWSClusterSpec): boolean => network?.vpc?.ipv6 !== undefined;

const isBlock6 = (block: string): boolean => block.includes(':');

/** All addresses; with IPv6 only if the VPC has it. */
const anywhere = (spec: AWSClusterSpec): string[] => (hasIpv6(spec) ? [ANYWHERE, ANYWHERE6] : [ANYWHERE]);

/**
 * The blocks of the VPC. Subnets of machines and load balancers may be in any of them; upstream only allows the first.
 */
const vpcBlocks = ({ spec, vpcCidr }: Pick<RuleInput, 'spec' | 'vpcCidr'>): string[] => {
  const { secondaryCidrBlocks = [], ipv6 } = spec.network?.vpc ?? {};
  const secondary = secondaryCidrBlocks.map(({ ipv4CidrBlock }) => ipv4CidrBlock);
  return [...new Set([vpcCidr, ...secondary, ...(ipv6?.cidrBlock ? [ipv6.cidrBlock] : [])])];
};

const tcp = (description: string, port: number | [number, number], sources: readonly Rule['source'][]): Rule[] => {
  const [fromPort, toPort] = typeof port === 'number' ? [port, port] : port;
  return sources.map((source) => ({ protocol: 'tcp', fromPort, toPort, source, description }));
};

const roles = (...names: SecurityGroupRole[]) => names.map((role) => ({ role }));

/** A user's rule for each of its sources. Without any source, it allows the control plane. */
const expand = (rule: IngressRule, natIps: readonly string[]): Rule[] => {
  const sources: Rule['source'][] = [
    ...(rule.cidrBlocks ?? []),
    ...(rule.ipv6CidrBlocks ?? []),
    ...(rule.sourceSecurityGroupIds ?? []),
    ...roles(...((rule.sourceSecurityGroupRoles ?? []) as SecurityGroupRole[])),
  ];
  if (rule.natGatewaysIPsSource) sources.push(...natIps.map((ip) => `${ip}/32`));
  else if (sources.length === 0) sources.push({ role: 'controlplane' });
  const { protocol, fromPort, toPort, description } = rule;
  return sources.map((source) => ({ protocol, fromPort, toPort, description, source }));
};

const cniRules = ({ spec }: RuleInput): Rule[] =>
  (spec.network?.cni?.cniIngressRules ?? []).flatMap(({ protocol, fromPort, toPort, description }) =>
    roles('controlplane', 'node').map((source) => ({ protocol, fromPort, toPort, description, source })),
  );

/** As in upstream, rules for IPv6 are separate. */
const apiRules = (port: number, sources: readonly string[]): Rule[] => [
  ...tcp(
    'Kubernetes API',
    port,
    sources.filter((source) => !isBlock6(source)),
  ),
  ...tcp('Kubernetes API IPv6', port, sources.filter(isBlock6)),
];

const balancersOf = ({
  controlPlaneLoadBalancer: primary,
  secondaryControlPlaneLoadBalancer: secondary,
}: AWSClusterSpec) => [primary ?? {}, secondary ?? []].flat();

/**
 * Both load balancers use the same group. Within the VPC, nodes connect to an internal one with their own addresses.
 */
const apiLoadBalancerRules = ({ spec, apiPort, vpcCidr, natIps }: RuleInput): Rule[] => {
  const balancers = balancersOf(spec);
  const own = balancers.flatMap(({ scheme }) =>
    scheme === 'internal' ? vpcBlocks({ spec, vpcCidr }) : natIps.map((ip) => `${ip}/32`),
  );
  const custom = balancers.flatMap(({ ingressRules = [] }) => ingressRules);
  const others = custom.length > 0 ? custom.flatMap((rule) => expand(rule, natIps)) : apiRules(apiPort, anywhere(spec));
  return [...apiRules(apiPort, own), ...others];
};

/**
 * The prefix of our rules' descriptions in the group to which the cluster's own controllers also write, with which the
 * rules are recognized.
 */
export const NLB_DESCRIPTION = 'Allow NLB traffic to the control plane instances';

const workerLoadBalancerRules = ({ spec, vpcCidr }: RuleInput): Rule[] => {
  const balancers = balancersOf(spec).filter(({ loadBalancerType }) => loadBalancerType === 'nlb');
  if (balancers.length === 0) return [];
  const sourcesOf = (some: typeof balancers) =>
    some.some(({ preserveClientIP }) => preserveClientIP) ? anywhere(spec) : vpcBlocks({ spec, vpcCidr });
  const listenOn = (port: number) =>
    balancers.filter(({ additionalListeners = [] }) => additionalListeners.some((one) => one.port === port));
  const ports = new Set(
    balancers.flatMap(({ additionalListeners = [] }) => additionalListeners.map(({ port }) => port)),
  );
  return [
    ...tcp(`${NLB_DESCRIPTION}.`, API_SERVER_PORT, sourcesOf(balancers)),
    ...[...ports].flatMap((port) => tcp(`${NLB_DESCRIPTION} on port ${port}.`, port, sourcesOf(listenOn(port)))),
  ];
};

const SSH = 22;

const hasBastion = ({ bastion }: AWSClusterSpec): boolean => bastion?.enabled === true;

const sshRules = ({ spec }: RuleInput): Rule[] => (hasBastion(spec) ? tcp('SSH', SSH, roles('bastion')) : []);

/** Without ranges there is no access from outside. Session Manager may be used instead. */
const bastionRules = ({ spec }: RuleInput): Rule[] => {
  const { disableIngressRules, allowedCIDRBlocks = [] } = spec.bastion ?? {};
  const sources = allowedCIDRBlocks.filter((block) => hasIpv6(spec) || !isBlock6(block));
  return disableIngressRules ? [] : tcp('SSH', SSH, sources);
};

const controlPlaneRules = (input: RuleInput): Rule[] => [
  ...tcp('Kubernetes API', API_SERVER_PORT, roles('apiserver-lb', 'controlplane', 'node')),
  ...tcp('etcd', 2379, roles('controlplane')),
  ...tcp('etcd peer', 2380, roles('controlplane')),
  ...sshRules(input),
  ...cniRules(input),
  ...(input.spec.network?.additionalControlPlaneIngressRules ?? []).flatMap((rule) => expand(rule, input.natIps)),
];

/** The user's blocks, separately for each family: IPv4 blocks alone do not affect IPv6. */
const nodePortSources = (spec: AWSClusterSpec, custom: readonly string[]): string[] => {
  const of = (blocks: readonly string[], fallback: string) => (blocks.length > 0 ? blocks : [fallback]);
  const ipv4 = of(
    custom.filter((block) => !isBlock6(block)),
    ANYWHERE,
  );
  return hasIpv6(spec) ? [...ipv4, ...of(custom.filter(isBlock6), ANYWHERE6)] : [...ipv4];
};

const nodeRules = (input: RuleInput): Rule[] => {
  const { nodePortIngressRuleCidrBlocks: custom = [], additionalNodeIngressRules = [] } = input.spec.network ?? {};
  return [
    ...tcp('Node Port Services', [30000, 32767], nodePortSources(input.spec, custom)),
    ...tcp('Kubelet API', 10250, roles('controlplane', 'node')),
    ...sshRules(input),
    ...cniRules(input),
    ...additionalNodeIngressRules.flatMap((rule) => expand(rule, input.natIps)),
  ];
};

/** The rules of each group, in the order in which the groups are created. */
export const securityGroupRules = (input: RuleInput): Readonly<Partial<Record<SecurityGroupRole, Rule[]>>> => ({
  'apiserver-lb': apiLoadBalancerRules(input),
  lb: workerLoadBalancerRules(input),
  controlplane: controlPlaneRules(input),
  node: nodeRules(input),
  ...(hasBastion(input.spec) ? { bastion: bastionRules(input) } : {}),
});
